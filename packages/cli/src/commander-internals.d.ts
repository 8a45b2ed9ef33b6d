// What commander has and does not declare: `vds` says that an option is unknown before commander says that another one is missing.
import 'commander';

declare module 'commander' {
  interface Command {
    readonly _allowUnknownOption: boolean;
    unknownOption(flag: string): never;
  }
}

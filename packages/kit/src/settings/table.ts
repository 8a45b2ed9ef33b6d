// A table of settings: what each is called in the environment and on the command line, what it may hold, and what it is when not set.
import type * as v from 'valibot';
import { type Kind, kindOf, type TextSchema } from './kinds.js';

/** What is known of a setting besides its schema. */
export interface Setting extends Kind {
  /** Name of the environment variable; flag and key are the same without the prefix, in kebab case. */
  readonly variable: string;
  /** Name of the flag, for example `upstream-url`. */
  readonly flag: string;
  /** Value when nothing is set, as it would be written. */
  readonly default: string | undefined;
  /** Further environment variables that mean the same, used when the first is not set. */
  readonly alsoVariables: readonly string[];
  /** Further flags that mean the same. */
  readonly alsoFlags: readonly string[];
}

/** Texts of settings by the name of the variable, with `…_FILE` for the file of a secret. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** Schemas by the name of the variable. */
export type SettingEntries = Readonly<Record<string, v.OptionalSchema<TextSchema, string | undefined>>>;

/** Settings by subject, in the order of the documentation. */
export type SettingGroups = Readonly<Record<string, SettingEntries>>;

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;

/** Checked settings by the name of the variable. A setting without value and default is `undefined`. */
export type ValuesOf<Groups extends SettingGroups> = {
  readonly [Name in keyof Merged<Groups[keyof Groups]>]: Merged<Groups[keyof Groups]>[Name] extends v.GenericSchema
    ? v.InferOutput<Merged<Groups[keyof Groups]>[Name]>
    : never;
};

/** All settings of a program. */
export interface SettingTable<Values> {
  /** What all variables begin with, for example `VDS_`. */
  readonly prefix: string;
  readonly groups: readonly { readonly title: string; readonly settings: readonly Setting[] }[];
  readonly settings: readonly Setting[];
  /** By the names of their flags, which are the keys of a configuration file as well, with the variable that each name sets. */
  readonly byFlag: ReadonlyMap<string, Setting>;
  readonly entries: SettingEntries;
  /** What its values are: there is no such member at run time. */
  readonly values?: Values;
}

/** Other names of settings, by their first one. */
export interface OtherNames {
  readonly variables?: Readonly<Record<string, readonly string[]>>;
  readonly flags?: Readonly<Record<string, readonly string[]>>;
}

export function settingTable<const Groups extends SettingGroups>(
  prefix: string,
  groups: Groups,
  { variables = {}, flags = {} }: OtherNames = {},
): SettingTable<ValuesOf<Groups>> {
  const described = Object.entries(groups).map(([title, entries]) => ({
    title,
    settings: Object.entries(entries).map(
      ([variable, schema]): Setting => ({
        ...kindOf(schema.wrapped),
        variable,
        flag: flagOf(prefix, variable),
        default: schema.default,
        alsoVariables: variables[variable] ?? [],
        alsoFlags: flags[variable] ?? [],
      }),
    ),
  }));
  const settings = described.flatMap((group) => group.settings);
  const byFlag = new Map<string, Setting>();
  for (const setting of settings) {
    const { variable, flag, alsoFlags, secret } = setting;
    for (const name of [flag, ...alsoFlags]) byFlag.set(name, setting);
    if (secret) byFlag.set(`${flag}-file`, { ...setting, variable: `${variable}_FILE` });
  }
  const entries = Object.assign({}, ...Object.values(groups)) as SettingEntries;
  return { prefix, groups: described, settings, byFlag, entries };
}

function flagOf(prefix: string, variable: string): string {
  const name = variable.startsWith(prefix) ? variable.slice(prefix.length) : variable;
  return name.toLowerCase().replaceAll('_', '-');
}

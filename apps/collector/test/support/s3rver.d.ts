// The part of `s3rver` that tests use; it brings no types.
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      readonly port: number;
      readonly address: string;
      readonly silent: boolean;
      readonly directory: string;
      readonly resetOnClose: boolean;
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}

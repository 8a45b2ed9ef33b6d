// An `import` of these modules reads every member of them, and for some members Node then loads all of its `fetch`: 16 MB and 30 ms.
/** Node's `http` module. */
export const http = process.getBuiltinModule('node:http');
/** Node's `tls` module, when it is needed. */
export const tls = () => process.getBuiltinModule('node:tls');

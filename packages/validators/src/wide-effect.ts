import { type RequestRule, reject } from './request-validator.js';

/** `x-wide-effect` of the contract: a bare `?` is no way to say that the narrowing parameter was left out on purpose. */
export function wideEffect(parameter: string): RequestRule {
  return (findings, _, { query }) => {
    if (query === '?') reject(findings, 'emptyQuery', `must be left out altogether, or hold ${parameter}`);
  };
}

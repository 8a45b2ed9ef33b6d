import type { Middleware } from 'openapi-fetch';
import type { Call } from './call.js';
import { areHeaders, callOptionRules } from './check-options.js';
import { argumentError, clientError } from './client-error.js';
import { report } from './observe.js';
import { readResponse } from './read-response.js';
import { safeCause } from './redact.js';
import { checkContract } from './validate-response.js';

/** The middleware of one attempt, in the order in which it sees the request. */
export const middlewareOf = (call: Call): Middleware[] => [headers(call), credentials(call), checks(call)];

/** Headers of user code. Those of the client come later, so they cannot be replaced. */
function headers({ settings, options, operation, attempt, brand }: Call): Middleware {
  const { id, method, path: route } = operation;
  return {
    async onRequest({ request }) {
      for (const source of [...settings.headers, options.headers ?? {}]) {
        const given =
          typeof source === 'function' ? await source({ operation: id, method, route, attempt, brand }) : source;
        if (!areHeaders(given)) {
          throw argumentError(
            { operation, settings },
            `headers must give ${callOptionRules.headers.expected}`,
            'headers',
          );
        }
        for (const [name, value] of Object.entries(given)) request.headers.set(name, value);
      }
    },
  };
}

/** Brand, API key, and the access token once it is known to be one that a header can carry. */
function credentials(call: Call): Middleware {
  const { settings, operation, secrets, brand, rejection } = call;
  const { apiKey, tokens } = settings;
  return {
    async onRequest({ request }) {
      request.headers.set('Brand', brand);
      if (apiKey !== undefined) request.headers.set('X-Api-Key', apiKey);
      if (!tokens) return;
      const rejected = call.isTokenRejected ? call.token : undefined;
      const token = await tokens(call, rejected).catch((cause: unknown) => {
        throw clientError(call, 'access-token-unavailable', 'accessToken failed', { cause });
      });
      if (rejected !== undefined && token === rejected) throw rejection;
      call.isTokenRejected = false;
      call.token = token;
      if (token === undefined && operation.isTokenOptional) return;
      // The form of https://www.rfc-editor.org/rfc/rfc6750#section-2.1; a header that rejects a token would quote it.
      if (typeof token !== 'string' || !/^[\w~+/.-]+=*$/.test(token)) {
        const hint = token === undefined ? 'give one, or null where a proxy adds it' : 'leave out "Bearer"';
        throw clientError(call, 'no-access-token', `accessToken must be a bearer token; ${hint}`);
      }
      secrets.push(token);
      request.headers.set('Authorization', `Bearer ${token}`);
    },
  };
}

/** What is sent is what was checked, and what comes back is a response of this service. */
function checks(call: Call): Middleware {
  const { operation, params, signal, settings } = call;
  return {
    onRequest({ request }) {
      // A query that lost its parameter would widen what a DELETE does.
      const query = [...new URL(request.url).searchParams];
      const expected = Object.entries(params.query);
      if (query.length !== expected.length || query.some(([name, value]) => params.query[name] !== value)) {
        throw argumentError({ operation }, 'the query differs from the checked parameters');
      }
      // A call that ended while it waited for its token is not sent any more; its outcome is known.
      if (signal.aborted) throw signal.reason;
      call.sent = true;
      report(call, 'onRequest');
    },
    onError({ error }) {
      const cause = safeCause(error, call.secrets);
      // These mean that there was no connection, so that nothing can have taken effect.
      const text = `${cause?.code} ${cause?.message} ${cause?.cause?.code}`;
      call.sent = !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Connection ?Refused/i.test(text);
      return clientError(call, 'connection-failed', 'no connection, or it broke before a response', { cause });
    },
    async onResponse({ response }) {
      if (typeof response?.headers?.get !== 'function') {
        throw argumentError({ operation, settings }, 'fetch must give a Response', 'fetch');
      }
      call.received = await readResponse(call, response);
      checkContract(call, call.received);
      report(call, 'onResponse', { status: response.status, requestId: call.received.requestId });
    },
  };
}

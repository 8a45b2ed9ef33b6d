import { createProxy, type ProxyConfig } from '../../dist/index.js';

let answer: ((request: Request) => Response | Promise<Response>) | undefined;

export default {
  fetch(request: Request, environment: { readonly CONFIG: string }): Response | Promise<Response> {
    if (answer === undefined) {
      const proxy = createProxy(JSON.parse(environment.CONFIG) as ProxyConfig);
      answer = (each) => proxy.fetch(each);
    }
    return answer(request);
  },
};

import { createProxy, type ProxyConfig } from '../../dist/index.js';

let handle: ((request: Request) => Response | Promise<Response>) | undefined;

export default {
  fetch(request: Request, environment: { readonly CONFIG: string }): Response | Promise<Response> {
    if (handle === undefined) {
      const proxy = createProxy(JSON.parse(environment.CONFIG) as ProxyConfig);
      handle = (each) => proxy.fetch(each);
    }
    return handle(request);
  },
};

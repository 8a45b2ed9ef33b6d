import { createProxy, type ProxyConfig } from '../../dist/index.js';

let proxy: ReturnType<typeof createProxy> | undefined;

export default {
  fetch(request: Request, environment: { readonly CONFIG: string }): Response | Promise<Response> {
    proxy ??= createProxy(JSON.parse(environment.CONFIG) as ProxyConfig);
    return proxy.fetch(request);
  },
};

// Kubernetes puts the addresses of all Services into every container, under names made of theirs:
// https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
const linkName = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const linkAddress = /^(?:tcp|udp|sctp):\/\//;

/** The environment without the addresses of Services, which would be taken for settings when a Service is called `vds-proxy`. */
export function withoutServiceLinks(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        !(
          name.startsWith('VDS_') &&
          (linkName.test(name) || (name.endsWith('_PORT') && linkAddress.test(value ?? '')))
        ),
    ),
  );
}

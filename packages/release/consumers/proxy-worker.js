export { default } from '@vehicle-data/proxy/worker';

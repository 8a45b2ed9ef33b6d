import { describe, it } from 'vitest';
import { faults } from './faults/fault-list.ts';
import { runFault } from './faults/run-fault.ts';

describe('when the upstream responds with', () => {
  it.concurrent.each(faults.map((fault) => [fault.name, fault.outcome, fault] as const))(
    '%s, the client gets: %s',
    (_name, _outcome, fault) => runFault(fault),
    20_000,
  );
});

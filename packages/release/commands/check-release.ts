// Compares the contract's changes with the pending changesets; part of `npm test`.
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { repositoryFolder } from '../src/workspace.ts';

const gate = await contractSemverGate(repositoryFolder);
console.log(
  gate.compared
    ? `contract: ${gate.required} since the last release, ${gate.declared} declared`
    : 'contract: nothing released yet, nothing to compare with',
);
if (gate.problems.length > 0) {
  console.error(gate.problems.join('\n'));
  process.exitCode = 1;
}

// Compares the contract's changes with the pending changesets, and looks at dependencies' licenses; part of `npm test`.
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { licenseProblems, runtimeLicenses } from '../src/licenses.ts';
import { repositoryFolder } from '../src/workspace.ts';

const gate = await contractSemverGate(repositoryFolder);
console.log(
  gate.compared
    ? `contract: ${gate.required} since the last release, ${gate.declared} declared`
    : 'contract: nothing released yet, nothing to compare with',
);
const licenses = await runtimeLicenses();
console.log(`licenses of dependencies: ${Object.keys(licenses).join(', ')}`);
const problems = [...gate.problems, ...licenseProblems(licenses)];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

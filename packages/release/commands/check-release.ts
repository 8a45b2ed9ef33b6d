// Everything that can be checked without a network and keeps a release from going out; part of `npm test`.
import { apiReportProblems, apiReports } from '../src/api-report/api-report.ts';
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { describeProblems } from '../src/problem.ts';
import { advisoryProblems, readAdvisories } from '../src/supply-chain/advisories.ts';
import { installScriptProblems } from '../src/supply-chain/install-scripts.ts';
import { lockfileProblems, readLockfile } from '../src/supply-chain/lockfile.ts';
import { runtimeDependencyProblems } from '../src/supply-chain/runtime-dependencies.ts';
import { readKnownTestValues, secretProblems } from '../src/supply-chain/secrets.ts';
import { publishedPackages, repositoryFolder } from '../src/workspace.ts';

const locked = await readLockfile(repositoryFolder);
const gate = await contractSemverGate(repositoryFolder);
const advisories = await readAdvisories();
const problems = [
  ...gate.problems,
  ...lockfileProblems(locked),
  ...(await installScriptProblems(repositoryFolder)),
  ...advisoryProblems(locked, advisories),
  ...(await runtimeDependencyProblems(repositoryFolder)),
  ...(await apiReportProblems(await apiReports(await publishedPackages(repositoryFolder)))),
  ...(await secretProblems(repositoryFolder, await readKnownTestValues())),
];
const contract = gate.compared
  ? `contract: ${gate.required} since the last release, ${gate.declared} declared`
  : 'contract: nothing released yet, nothing to compare with';
console.log(`${contract}\nlockfile: ${locked.length} packages, advisories as of ${advisories.asOf}`);
if (problems.length > 0) {
  console.error(describeProblems(problems));
  process.exitCode = 1;
}

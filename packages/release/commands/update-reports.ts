// Writes what is under review about the published packages: their public types and their run-time dependencies.
import { writeFile } from 'node:fs/promises';
import { apiReports, writeApiReports } from '../src/api-report/api-report.ts';
import { renderRuntimeReport, runtimeReport, runtimeReportFile } from '../src/supply-chain/runtime-dependencies.ts';
import { publishedPackages, repositoryFolder } from '../src/workspace.ts';

const packages = await publishedPackages(repositoryFolder);
await writeFile(runtimeReportFile, renderRuntimeReport(await runtimeReport(packages)));
await writeApiReports(await apiReports(packages));

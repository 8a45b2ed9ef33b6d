// Writes what is under review about the published packages: their run-time dependencies.
import { writeFile } from 'node:fs/promises';
import { renderRuntimeReport, runtimeReport, runtimeReportFile } from '../src/supply-chain/runtime-dependencies.ts';
import { publishedPackages, repositoryFolder } from '../src/workspace.ts';

await writeFile(runtimeReportFile, renderRuntimeReport(await runtimeReport(await publishedPackages(repositoryFolder))));

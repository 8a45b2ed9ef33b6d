// What several groups of commands have: how a command is described, and words of their options.
import { seriesCommands } from './generated/commands.js';
import type { VdsCommand } from './vds-command.js';

export const seriesNames = Object.keys(seriesCommands);

export const day = '2026-03-01, 20260301, today, yesterday or 7d (seven days ago)';
export const zone = ['--zone <zone>', 'IANA time zone of the days (default: UTC)'] as const;

export const describe = (parent: VdsCommand, words: string, description: string) =>
  parent.command(words).description(description);

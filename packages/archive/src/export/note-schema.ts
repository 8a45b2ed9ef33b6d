import { storeSettings } from '../archive-settings.js';
import type { OpenArchive } from '../folder/open-archive.js';

/** Finds out once, for an archive of an earlier version, whether all of its files have the same columns. */
export async function noteSchema(opened: OpenArchive): Promise<void> {
  if (opened.settings.oneSchema !== undefined) return;
  let oneSchema = true;
  for await (const vehicle of opened.state.vehicles()) {
    const { entries } = await opened.state.readable(vehicle);
    oneSchema &&= entries.every(({ path, contract }) => path === null || contract === opened.settings.contract);
  }
  opened.settings = { ...opened.settings, oneSchema };
  await storeSettings(opened.state, opened.settings);
}

import { clientSettings } from './client-settings.js';
import { identitySettings } from './identity-settings.js';
import { limitSettings } from './limit-settings.js';
import { serverSettings } from './server-settings.js';
import type { Setting } from './setting.js';
import { stateSettings } from './state-settings.js';
import { upstreamSettings } from './upstream-settings.js';
import { watchSettings } from './watch-settings.js';

/** Settings by subject, in the order of the documentation. */
export const settingGroups = [
  { title: 'Server', settings: serverSettings },
  { title: 'Clients', settings: clientSettings },
  { title: 'Access to the service', settings: identitySettings },
  { title: 'Connections to the upstream', settings: upstreamSettings },
  { title: 'Limits', settings: limitSettings },
  { title: 'State', settings: stateSettings },
  { title: 'Watching', settings: watchSettings },
] as const;

/** Name of a setting's environment variable. */
export type SettingName = (typeof settingGroups)[number]['settings'][number]['variable'];

/** A setting of this program. */
export type NamedSetting = Setting & { readonly variable: SettingName };

/** Every setting of the program. */
export const settings: readonly NamedSetting[] = settingGroups.flatMap(
  (group): readonly NamedSetting[] => group.settings,
);

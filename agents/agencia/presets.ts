import type { JsonObject } from '../../harness/contract/index.js'

/** Registries by name, in the form in which a suite may write its own. */
export const PRESETS: Readonly<Record<string, readonly JsonObject[]>> = {
  /** The world's tools, and nothing else. */
  none: [],
  /** §8 of the paper: a lookup that does not know recruits the almanac. */
  weather: [
    {
      name: 'weather_lookup',
      summary: 'Weather of the day, by city.',
      tool: 'weather_lookup',
      replies: [{ when: 'Weather unknown.', text: '{{ .Get "almanac_weather" }}' }],
    },
    {
      name: 'almanac_weather',
      summary: 'What a season is like, from the almanac.',
      offered: false,
      tool: 'manual_retrieval',
      args: { document: 'almanac' },
    },
  ],
}

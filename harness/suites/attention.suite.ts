import { defineSuite } from '../contract/index.js'

/** All that the standing orders ask to look after; the rest resembles it. */
const attention = ['alarm.raised', 'watch.over', 'watch_status', 'open_alarms']
  .map((name) => `watch_desk.${name}`)
  .join(',')

export default defineSuite({
  name: 'attention',
  summary: 'What does a focus on single signals and properties save, where others of the same tool are noise?',
  seed: 20_261_101,
  scenarios: 10,
  agents: [
    { use: 's-ora-lean', grid: { wakeOnAnySignal: [false, true] } },
    { use: 's-ora-lean', params: { attention }, grid: { wakeOnAnySignal: [false, true] } },
    { use: 's-ora', grid: { wakeOnAnySignal: [false, true] } },
    { use: 's-ora', params: { attention }, grid: { wakeOnAnySignal: [false, true] } },
  ],
  environments: [
    { use: 'night-watch', params: { pattern: 'several', lookAlikes: 40 }, grid: { telemetryMs: [null, 1_000] } },
  ],
  models: ['sim:careful'],
})

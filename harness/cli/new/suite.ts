import { join, relative } from 'node:path'

/** The file of a new suite, which runs as it is and says at each line what else could stand there. */
export function suiteFile(name: string, dir: string): Record<string, string> {
  const schema = relative(dir, join('node_modules', 'sora-bench', 'suite.schema.json')).replaceAll('\\', '/')
  const path = schema.startsWith('.') ? schema : `./${schema}`
  return { [`${name}.suite.yaml`]: suite.replace('SCHEMA', path).replaceAll('NAME', name) }
}

const suite = `# yaml-language-server: $schema=SCHEMA
# What meets what, how often. \`npx sora-bench run NAME\` runs it here; \`npx sora-bench list\` names what it can name.
name: NAME
summary: Does it pay off to look, or to be told, as the pump gets slower?

# The same seed gives the same scenarios to all agents. A scenario is the unit of analysis; replicas repeat it.
seed: 1
scenarios: 5
replicas: 1

# Names, or files of your own such as ./mine.agent.ts. \`params\` are fixed, each value in \`grid\` is a case of its own.
agents:
  - react-sync
  - react-polling
  - use: s-ora
    params: { window: 7 }
  # Controls: what is possible, and what doing nothing gives.
  - oracle
  - do-nothing
environments:
  - use: water-hammer
    grid: { rampMs: [5000, 20000] }

# sim:… is the simulated model, a reader and no language model. Any other name is asked for at OPENAI_BASE_URL.
models: [sim:careful]
# How long a model thinks: tokens[:profile], fixed:MS or zero; a list is swept.
thinking: tokens

# Per trial. To reach one is an outcome, no error.
limits:
  modelCalls: 200
  virtualMs: 1800000

# What \`compare\` takes for no difference: absolute for rates, relative for the rest.
margins: { solved: 0.05 }
`

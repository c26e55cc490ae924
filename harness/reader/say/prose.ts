import { createTextCache } from '../../model/tokens.js'
import type { Verb } from '../think/intent.js'

/** Length of the prose beside an intent, in words: what a thought, a summary and one step of a list take. */
interface Lengths {
  thought: number
  summary: number
  step: number
}

/** Authored, not fitted: about what chat models write when they are asked for a sentence or two. */
export const LENGTHS: Readonly<Record<Verb, Lengths>> = {
  discover: { thought: 24, summary: 20, step: 8 },
  read: { thought: 28, summary: 28, step: 9 },
  mount: { thought: 20, summary: 28, step: 9 },
  focus: { thought: 18, summary: 28, step: 9 },
  observe: { thought: 18, summary: 32, step: 9 },
  operate: { thought: 36, summary: 40, step: 10 },
  wait: { thought: 26, summary: 36, step: 9 },
  sleep: { thought: 16, summary: 24, step: 8 },
  claim: { thought: 40, summary: 44, step: 10 },
  decline: { thought: 22, summary: 28, step: 8 },
}
/** How many steps a list takes. */
export const STEPS = 4

const OPENING: Readonly<Record<Verb, string>> = {
  discover: 'First I need to know what there is.',
  read: 'Before I act I should know the rules that apply here.',
  mount: 'The rules that apply here must be at hand.',
  focus: 'I want to see how things stand.',
  observe: 'How things stand now decides what comes next.',
  operate: 'What this step needs is in place, so it can be taken.',
  wait: 'Something is under way that has to end before the next step.',
  sleep: 'This takes a while.',
  claim: 'Nothing is left to do.',
  decline: 'This cannot be done as things stand.',
}
const FILLER =
  `The last result fits what was expected of it and nothing contradicts it so far . Each step rests on what was read or
  seen before , and the order of the steps follows from what each of them needs . What has been started may still take time , and an
  acknowledgement alone says nothing about its end . The goal decides what counts as done`.split(/\s+/)

/** Prose of a stated length for an intent. It carries no information. */
export function prose(verb: Verb, kind: keyof Lengths): string {
  return texts.get(`${verb} ${kind}`, () => written(verb, kind))
}

const texts = createTextCache<string>(64)

function written(verb: Verb, kind: keyof Lengths): string {
  const opening = OPENING[verb].split(' ')
  const words = [...opening]
  for (let index = 0; words.length < LENGTHS[verb][kind]; index++) words.push(FILLER[index % FILLER.length] ?? '')
  const text = words.slice(0, LENGTHS[verb][kind]).join(' ').replaceAll(' .', '.').replaceAll(' ,', ',')
  return text.replace(/[\s.,]*$/, '.')
}

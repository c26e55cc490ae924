import type { PlainDeclaration } from '../../harness/contract/index.js'
import { SUBJECTS } from './distractor-subjects.js'

type Entry = [id: string, declaration: PlainDeclaration]

const CAFETERIA: Entry = [
  'cafeteria_menu',
  {
    kind: 'plain',
    title: 'Cafeteria Menu',
    summary: 'Dishes of the week, opening hours and prices of the cafeteria.',
    covers: ['cafeteria_counter'],
    text: `Monday brings lentil soup with bread, and pasta with a sauce of tomatoes and olives. On Tuesday there is vegetable curry with rice, or fish from the oven with potatoes. Wednesday is the day of the stew, which simmers under pressure since early morning and is served until the pot is empty. Thursday offers dumplings with mushrooms, or a large salad with roasted seeds. Friday ends the week with pancakes, sweet or savoury.

The counter opens at half past eleven and closes at two. The night shift finds covered plates in the left refrigerator and warms them in the microwave oven; whoever takes the last plate writes so on the board. Coffee is free between three and four in the afternoon.

A main dish costs four, a soup two, and dessert one. Payment is by the canteen card, which can be charged at the machine beside the door. Allergens are listed on the back of each card on the counter. Hot trays are carried with both hands, and the cooling rack is no place for bags. Please clear your own table, stack the glasses, and leave the tray on the belt.`,
  },
]

const COOLING_TOWER: Entry = [
  'cooling_tower_maintenance',
  {
    kind: 'plain',
    title: 'Cooling Tower Maintenance',
    summary: 'Seasonal cleaning and inspection of the cooling tower.',
    covers: ['cooling_tower'],
    text: `The tower is cleaned twice a year, in April and in October, while it is taken out of service for ten days. Scaffolding is put up on the first day and inspected by the safety officer before anybody climbs it. Moss is removed from the basin with wooden scrapers, since steel ones damage the coating.

The fill packs are lifted out row by row, rinsed with a low jet, and stacked in the shade. Broken packs are replaced by the grey kind; the blue kind became brittle in the sun. Nozzles are unscrewed, soaked overnight in vinegar, and tested for an even cone of spray. Drift eliminators are counted on removal and again on return.

The fan is turned by hand through a full circle. Its blades are set to the same angle within half a degree, and the gearbox receives fresh oil. Vibration is recorded during the first hour of the trial run and compared with the sheet of the year before.

Water samples go to the laboratory each week in summer. The tower serves the air conditioning of the offices alone; it has no connection with any other circuit of the plant. Birds that nest under the louvres are left in peace until the end of June.`,
  },
]

const AREAS = [
  { id: 'north_block', name: 'the north block' },
  { id: 'south_block', name: 'the south block' },
  { id: 'annex', name: 'the annex' },
] as const

const COMMON_SENTENCES: readonly string[] = [
  'These rules hold in {area} and replace the sheet that used to hang beside the notice board.',
  'The {keeper} answers questions on weekdays between nine and eleven, and by telephone at any other time.',
  'Each {thing} carries a number, and the number is what the {keeper} wants to hear first.',
  'Damage to a {thing} is reported on the green form, with the hour at which it was noticed and by whom.',
  'In {area} the inspection falls on the second Tuesday of the month, unless that day is a public holiday.',
  'Contractors follow the same rules as everybody else, and sign for them at the beginning of their work.',
  'A {thing} that is out of order is marked with tape, so that nobody tries it a second time.',
  'The {keeper} keeps a list of what was done, by whom and when; the list is kept for five years.',
  'Cleaning takes place after the late shift, and the corridor of {area} stays closed for half an hour.',
  'Suggestions are welcome and are read aloud at the quarterly meeting, with or without a name.',
  'New colleagues are shown every {thing} during their first week, together with the nearest exit.',
  'If the {keeper} cannot be found, the porter knows who stands in.',
  'Nothing in this sheet concerns the equipment of the control room, which has documents of its own.',
  'Last winter the frost damaged a {thing} in {area}; the repair has been paid by the insurance.',
  'Photographs are allowed for private use as long as no face and no screen can be made out.',
  'Orders for spare parts go through purchasing, and take about three weeks.',
  'Whoever borrows a key to a {thing} brings it back before the end of the same shift.',
  'An older edition of this sheet gave other hours; those no longer hold.',
]

const SENTENCES_FROM_TABLE = 9

function sheet(index: number): Entry {
  const subject = SUBJECTS[index % SUBJECTS.length]
  const area = AREAS[Math.floor(index / SUBJECTS.length) % AREAS.length]
  if (!subject || !area) throw new Error(`There is no distractor ${index}.`)
  const common = Array.from(
    { length: SENTENCES_FROM_TABLE },
    (_, nth) => COMMON_SENTENCES[(index * 5 + nth * 7) % COMMON_SENTENCES.length],
  ).map((sentence = '') =>
    sentence
      .replaceAll('{thing}', subject.thing)
      .replaceAll('{keeper}', subject.keeper)
      .replaceAll('{area}', area.name),
  )
  return [
    `${subject.id}_${area.id}`,
    {
      kind: 'plain',
      title: `${subject.title}, ${area.name}`,
      summary: `${subject.summary} in ${area.name}.`,
      covers: [`${subject.covers}_${area.id}`],
      text: [subject.notes, common.slice(0, 5).join(' '), common.slice(5).join(' ')].join('\n\n'),
    },
  ]
}

const ALL: readonly Entry[] = [
  CAFETERIA,
  COOLING_TOWER,
  ...Array.from({ length: SUBJECTS.length * AREAS.length }, (_, index) => sheet(index)),
]

/** The first `count` documents that help nobody: plausible, and the same whatever the seed. */
export function distractors(count: number): readonly Entry[] {
  return ALL.slice(0, count)
}

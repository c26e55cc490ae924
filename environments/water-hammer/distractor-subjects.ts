/** What a document of no use is about. */
export interface Subject {
  id: string
  title: string
  summary: string
  covers: string
  /** `thing` and `keeper` fill the sentences that all subjects share. */
  thing: string
  keeper: string
  notes: string
}

export const SUBJECTS: readonly Subject[] = [
  {
    id: 'parking',
    title: 'Parking Rules',
    summary: 'Parking spaces, permits and charging points',
    covers: 'parking_barrier',
    thing: 'parking space',
    keeper: 'gate warden',
    notes:
      'Permits are tied to a number plate and hang behind the windscreen of the vehicle. Two spaces next to the ramp have charging points, to be left as soon as the battery is full. Lorries that deliver gas bottles use the turning circle and nothing else.',
  },
  {
    id: 'visitor_badges',
    title: 'Visitor Badges',
    summary: 'How visitors are announced, escorted and given badges',
    covers: 'reception_desk',
    thing: 'visitor badge',
    keeper: 'receptionist',
    notes:
      'Visitors are announced two working days ahead, with the name of the employee who walks with them. School classes receive a group badge and stay on the painted path. A badge is worn at chest height and handed back at the turnstile.',
  },
  {
    id: 'generator_tests',
    title: 'Emergency Generator Tests',
    summary: 'Weekly trial runs of the diesel generator and their log',
    covers: 'diesel_generator',
    thing: 'diesel generator',
    keeper: 'duty electrician',
    notes:
      'The generator runs for thirty minutes under a dummy load, and its exhaust temperature is noted twice. Oil pressure below the green field ends the trial at once. Fuel is topped up on the same day, since condensation collects in a half-empty tank.',
  },
  {
    id: 'fire_drill',
    title: 'Fire Drill',
    summary: 'Evacuation routes, assembly points and drill calendar',
    covers: 'fire_panel',
    thing: 'evacuation route',
    keeper: 'fire marshal',
    notes:
      'The drill begins with three long tones and ends when every floor has been reported empty. Lifts stay on the ground floor for as long as the tones last. Extinguishers are weighed each spring; a missing seal counts as an empty bottle.',
  },
  {
    id: 'lift_maintenance',
    title: 'Lift Maintenance',
    summary: 'Service intervals of goods and passenger lifts',
    covers: 'goods_lift',
    thing: 'goods lift',
    keeper: 'lift technician',
    notes:
      'The goods lift carries two tonnes; pallets stand in the middle and never lean on the gate. Ropes are measured with a gauge at three places and compared with the plate in the machine room. During a service the landing doors are closed off with a yellow chain.',
  },
  {
    id: 'radio_handsets',
    title: 'Radio Handsets',
    summary: 'Channels, batteries and manners of the site radio',
    covers: 'site_radio',
    thing: 'radio handset',
    keeper: 'storekeeper',
    notes:
      'Channel one belongs to the shift, channel two to the workshop, and channel three to the fire brigade. A message begins with the name of whoever is called and ends with the word over. Batteries are charged in the rack overnight and marked with the month of purchase.',
  },
  {
    id: 'laundry',
    title: 'Work Clothes and Laundry',
    summary: 'Exchange of overalls, boots and gloves',
    covers: 'laundry_hatch',
    thing: 'set of overalls',
    keeper: 'laundry attendant',
    notes:
      'Overalls are exchanged one for one; pockets are emptied beforehand, for screws ruin the drums. Boots with a split sole are replaced without any form. Gloves for cold work hang on the left, gloves for hot work on the right.',
  },
  {
    id: 'meeting_rooms',
    title: 'Meeting Rooms',
    summary: 'Booking of meeting rooms and projectors',
    covers: 'room_calendar',
    thing: 'meeting room',
    keeper: 'office manager',
    notes:
      'A booking lapses when nobody has sat down ten minutes after its beginning. The large room may be divided by the folding wall, which two people move together. Flip charts are wiped by whoever wrote on them.',
  },
  {
    id: 'shift_roster',
    title: 'Shift Roster',
    summary: 'Rotation of shifts, swaps and holidays',
    covers: 'roster_board',
    thing: 'shift plan',
    keeper: 'shift clerk',
    notes:
      'The rotation runs early, late, night, and is followed by two free days. A swap needs the initials of both colleagues and stays within one week. Nobody works more than six nights in a row, whatever was agreed among friends.',
  },
  {
    id: 'water_dispensers',
    title: 'Drinking Water Dispensers',
    summary: 'Filters, hygiene and flow of drinking water dispensers',
    covers: 'water_dispenser',
    thing: 'water dispenser',
    keeper: 'caretaker',
    notes:
      'The filter is flushed for one minute after its replacement, until the water runs clear. A cup that tastes of chlorine is a reason to close the tap and hang up the red tag. The cooler keeps the water near eight degrees; on hot days it needs an hour to recover.',
  },
  {
    id: 'first_aid',
    title: 'First Aid Cabinets',
    summary: 'Contents and inspection of first aid cabinets',
    covers: 'first_aid_cabinet',
    thing: 'first aid cabinet',
    keeper: 'first aider',
    notes:
      'Burn dressings lie on top, eye wash below, splints on the inside of the door. Every plaster that is taken out is written into the book, however small the cut. Expired bandages are kept apart and used for training.',
  },
  {
    id: 'waste_sorting',
    title: 'Waste Sorting',
    summary: 'Containers for paper, metal, oil and solvents',
    covers: 'waste_yard',
    thing: 'waste container',
    keeper: 'yard foreman',
    notes:
      'Oily rags go into the lidded steel bin, for they can warm up and catch fire by themselves. Scrap metal is sorted by magnet before it is weighed. Solvents are never mixed, and never poured into a bottle that once held a drink.',
  },
  {
    id: 'ventilation',
    title: 'Office Ventilation',
    summary: 'Air quality, filters and temperature of office rooms',
    covers: 'office_ventilation',
    thing: 'ventilation unit',
    keeper: 'building engineer',
    notes:
      'The unit runs at low speed from six in the morning and doubles its flow at noon. Room temperature may be shifted by two degrees at the wall dial, and falls back at night. A rattling damper is usually a loose screw and rarely a broken motor.',
  },
  {
    id: 'crane_inspection',
    title: 'Workshop Crane Inspection',
    summary: 'Daily checks of the workshop crane and its slings',
    covers: 'workshop_crane',
    thing: 'workshop crane',
    keeper: 'crane driver',
    notes:
      'Before the first lift the hook travels its whole way once without a load. Slings with a broken strand are cut in two, so that nobody takes them out of the bin again. Signals are given by one person only, and anybody may give the signal to stop.',
  },
  {
    id: 'pump_house_tours',
    title: 'Tours of the Old Pump House',
    summary: 'Guided tours of the museum in the old pump house',
    covers: 'museum_ticket_desk',
    thing: 'museum tour',
    keeper: 'tour guide',
    notes:
      'The steam pump of the museum was built in the days of the first waterworks and has not turned since. Its pressure gauge still shows the last value of its working life, to the delight of children. Tours take forty minutes and end at the bench by the pond.',
  },
  {
    id: 'noise_survey',
    title: 'Noise Survey',
    summary: 'Noise levels, ear protection and measuring points',
    covers: 'noise_meter',
    thing: 'measuring point',
    keeper: 'safety officer',
    notes:
      'Readings are taken at ear height, away from walls, with the foam ball on the microphone. Above eighty-five decibels the blue sign goes up, and plugs are handed out at the door. Valves that whistle are reported as a nuisance and not as a defect.',
  },
]

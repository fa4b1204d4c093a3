import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Day, dayOf } from '../../../protocol/time.ts'
import { createImportReader } from './reader.ts'

const today = '2026-03-03' as Day

function read(text: string, { fileName = 'export.xml', pieces = [text] } = {}) {
  const reader = createImportReader(fileName)
  for (const piece of pieces) reader.write(piece)
  return reader.end(today)
}

// As in Apple's exports, including the list of elements.
const DOCTYPE = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>`
const record = (start: string, value: number | string, source = 'iPhone', type = 'StepCount') =>
  ` <Record type="HKQuantityTypeIdentifier${type}" sourceName="${source}" device="&lt;&lt;HKDevice: 0x1>, name:x>" unit="count" startDate="${start} +0100" endDate="${start} +0100" value="${value}"/>\n`
const workout = (start: string, duration: number, unit = 'min') =>
  ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="${duration}" durationUnit="${unit}" sourceName="Watch" startDate="${start} +0100"><MetadataEntry key="a" value="b"/></Workout>\n`
const apple = (...inside: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${DOCTYPE}\n<HealthData locale="en_GB">\n <ExportDate value="x"/>\n${inside.join('')}</HealthData>\n`

const appleFile = apple(
  record('2026-03-01 08:00:00', 4_000),
  record('2026-03-01 09:00:00', 3_000),
  record('2026-03-01 08:00:00', 5_500, 'Watch'),
  record('2026-03-01 08:00:00', 61, 'Watch', 'HeartRate'),
  record('2026-03-02 23:59:59', 12),
  workout('2026-03-02 07:00:00', 30.4),
  workout('2026-03-02 18:00:00', 1_200, 's'),
)

test('Apple Health: steps from a phone and a watch are not added together, but workouts are', () => {
  expect(read(appleFile)).toEqual({
    source: 'apple_health',
    days: [
      { day: '2026-03-02', steps: 12, workout_minutes: 50 },
      { day: '2026-03-01', steps: 7_000, workout_minutes: 0 },
    ],
    skipped: { outside: 0, implausible: 0, unreadable: 0 },
  })
})

const gpxFile = `<?xml version="1.0"?><gpx version="1.1" creator='it">s'><metadata><time>2020-01-01T00:00:00Z</time></metadata><trk><trkseg>
  ${Array.from({ length: 31 }, (_, minute) => `<trkpt lat="${52 + minute * 0.001}" lon="13.4"><ele>34</ele><time>2026-03-01T10:${String(minute).padStart(2, '0')}:00Z</time></trkpt>`).join('\n')}
  <trkpt lat="52.04" lon="13.4"><time>2026-03-01T11:30:00Z</time></trkpt>
  <trkpt lat="52.041" lon="13.4"><time>2026-03-01T11:32:00Z</time></trkpt>
</trkseg></trk></gpx>`

test('GPX: counts the time moving, without an hour-long pause', () => {
  expect(read(gpxFile)).toMatchObject({
    source: 'gpx',
    days: [{ day: '2026-03-01', steps: 0, workout_minutes: 32 }],
  })
})

const fitFile = `Date,Move Minutes count,Calories (kcal),Step count,Walking duration (ms)\r\n2026-03-01,31,1800.5,7421,1200000\r\n2026-03-02,,1700,900,\r\n`

test('Google Fit: reads daily metrics, and an empty cell counts as 0', () => {
  expect(read(fitFile)).toMatchObject({
    source: 'google_fit',
    days: [
      { day: '2026-03-02', steps: 900, workout_minutes: 0 },
      { day: '2026-03-01', steps: 7_421, workout_minutes: 31 },
    ],
  })
})

test('Google Fit: a one-day file gets its date from the file name and sums its 15-minute rows', () => {
  const file = 'Start time,End time,Step count\n00:00:00.000+01:00,00:15:00.000+01:00,100\n00:15:00.000+01:00,x,23\n'
  expect(read(file, { fileName: '2026-02-28.csv' }).days).toEqual([
    { day: '2026-02-28', steps: 123, workout_minutes: 0 },
  ])
})

test('Health Connect: reads rows per app, quoted cells, semicolons and a byte order mark', () => {
  const file =
    '\uFEFFstart_time;count;source\n"2026-03-01T08:00:00Z";"1200";"com.example ""steps"""\n2026-03-01T09:00:00Z;300;other\n1772352000000;50;other\n'
  expect(read(file)).toMatchObject({
    source: 'health_connect',
    days: [{ day: '2026-03-01', steps: 1_200, workout_minutes: 0 }],
  })
})

test('property: the result does not depend on how the file is split into chunks', () => {
  for (const file of [appleFile, gpxFile, fitFile]) {
    const whole = read(file)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: file.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), file.length]
        const pieces = at.slice(1).map((end, index) => file.slice(at[index], end))
        expect(read(file, { pieces })).toEqual(whole)
      }),
      { numRuns: 100 },
    )
    expect(read(file, { pieces: [...file] })).toEqual(whole)
  }
})

test('property: an XML file truncated anywhere is refused', () => {
  for (const file of [appleFile.trimEnd(), gpxFile])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: file.length - 1 }), (end) => {
        expect(() => read(file.slice(0, end))).toThrow(/incomplete|empty|not XML/)
      }),
      { numRuns: 200 },
    )
})

test('a table truncated in its last line is refused', () => {
  expect(() => read(fitFile.slice(0, -12))).toThrow('incomplete')
  expect(() => read(`${fitFile}"2026`)).toThrow('incomplete')
  expect(() => read('Date,Step count')).toThrow('no days')
})

test.each([
  ['an empty file', '', 'empty'],
  ['a photo', '\u0089PNG\r\n\0\0', 'not a text file'],
  ['a JSON file', '{"steps": 1}', 'JSON'],
  ['another XML format', '<html><body/></html>', 'not an Apple Health export'],
  ['an unrelated table', 'name,price\napple,1\n', 'needs a column such as'],
  ['a table without days', 'Step count,x\n100,1\n', 'needs a “Date” column'],
  ['prose', 'Dear diary', 'not an Apple Health, Google Fit'],
  ['a table with ambiguous dates', 'Date,Step count\n01/02/2026,100\n02/02/2026,200\n', '2024-01-31'],
  ['an export without steps', apple(record('2026-03-01 08:00:00', 61, 'Watch', 'HeartRate')), 'no steps or workouts'],
  ['an export with only old days', apple(record('2019-03-01 08:00:00', 61)), 'older than 2 years'],
  ['an implausible number of steps', apple(record('2026-03-01 08:00:00', 100_001)), 'impossibly high'],
  ['a car drive', gpxFile.replaceAll('0.001', '1').replace(/lat="52\.0(\d+)"/g, 'lat="$1"'), 'too fast for a walk'],
  ['a track without times', gpxFile.replace(/<time>.*?<\/time>/g, ''), 'no times'],
  ['XML with crossing tags', '<HealthData><a></HealthData></a>', 'not well-formed'],
  ['XML with two roots', '<HealthData/><HealthData/>', 'more than one root'],
])('%s is refused with the reason', (_, file, reason) => {
  expect(() => read(file)).toThrow(reason)
})

test('an entity bomb, an external reference, and unlimited nesting or tag length are refused', () => {
  const bomb = apple().replace(DOCTYPE, '<!DOCTYPE HealthData [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>')
  expect(() => read(bomb)).toThrow('declares entities')
  const outside = apple().replace(DOCTYPE, '<!DOCTYPE HealthData SYSTEM "file:///etc/passwd">')
  expect(() => read(outside)).toThrow('refers to another file')
  expect(() => read(`<HealthData>${'<a>'.repeat(1_000_000)}`)).toThrow('nested too deeply')
  const endless = createImportReader('export.xml')
  expect(() => {
    for (let count = 0; count < 1_000; count++) endless.write(`<HealthData ${'a'.repeat(10_000)}`)
  }).toThrow('too long')
  expect(() => read(`Date,Step count\n${'9'.repeat(100_000)}`)).toThrow('too long')
  expect(() => read(`Date,Step count\n${','.repeat(100_000)}`)).toThrow('too many columns')
})

test('invalid numbers and dates that do not exist are skipped and counted, and __proto__ is a normal device name', () => {
  const { days, skipped } = read(
    apple(
      record('2026-03-01 08:00:00', 100),
      record('2026-03-01 08:00:00', '-5'),
      record('2026-03-01 08:00:00', '1e9'),
      record('2026-02-30 08:00:00', 100),
      record('2026-03-02 08:00:00', 200_000),
      record('2026-03-04 08:00:00', 100),
      record('2026-03-01 08:00:00', 50, '__proto__'),
    ),
  )
  expect(days).toEqual([{ day: '2026-03-01', steps: 100, workout_minutes: 0 }])
  expect(skipped).toEqual({ outside: 1, implausible: 1, unreadable: 3 })
})

test('a 500 MB export is streamed: memory does not grow with the size of the file', () => {
  const reader = createImportReader('export.xml')
  const [head, tail = ''] = apple('@@').split('@@')
  reader.write(head ?? '')
  const day = (count: number) => dayOf(new Date(Date.parse('2025-01-01') + (count % 400) * 86_400_000))
  let chunk = ''
  for (let count = 0; chunk.length < 1_000_000; count++)
    chunk += record(`${day(count)} 08:00:00`, 1, 'Watch', count % 10 === 0 ? 'StepCount' : 'HeartRate')
  let [written, heldBytesMax] = [0, 0]
  const before = process.memoryUsage().heapUsed
  while (written < 500_000_000) {
    // Chunks as a file stream delivers them: they never end at a record boundary.
    for (let at = 0; at < chunk.length; at += 65_536) reader.write(chunk.slice(at, at + 65_536))
    written += chunk.length
    heldBytesMax = Math.max(heldBytesMax, process.memoryUsage().heapUsed - before)
  }
  reader.write(tail)
  const { days } = reader.end(today)
  expect(days.length).toBeGreaterThan(30)
  expect(heldBytesMax).toBeLessThan(200_000_000)
}, 60_000)

/**
 * Phrases that may mean that a user is in danger, in several languages. They never block or change a request: they
 * only make the page show crisis contacts first. A false alarm costs nothing; a missed one may cost a life.
 */
const PHRASES = [
  // English
  'suicide, suicidal, kill myself, killing myself, end my life, ending my life, end it all, take my life, want to die',
  'wanna die, better off dead, wish i was dead, self harm, selfharm, hurt myself, harm myself, cut myself, overdose',
  'no reason to live, cant go on, dont want to live, dont want to be alive, not want to live',
  // German, Dutch
  'suizid, selbstmord, mich umbringen, bringe mich um, nicht mehr leben, das leben nehmen, will sterben, ritze mich',
  'zelfmoord, wil dood, niet meer leven',
  // French, Spanish, Portuguese, Italian
  'me suicider, me tuer, envie de mourir, veux mourir, plus envie de vivre, en finir avec la vie, me faire du mal',
  'suicidio, suicidarme, matarme, quiero morir, no quiero vivir, quitarme la vida, hacerme daño',
  'suicídio, me matar, quero morrer, não quero viver, tirar minha vida, acabar com a minha vida, me machucar',
  'uccidermi, ammazzarmi, voglio morire, non voglio vivere, togliermi la vita, farmi del male',
  // Polish, Russian, Ukrainian, Turkish, Indonesian, Vietnamese
  'samobójstw, chcę umrzeć, nie chcę żyć, zabić się, суицид, самоубий, покончить с собой, не хочу жить, хочу умереть',
  'убить себя, самогубств, не хочу жити, хочу померти, intihar, kendimi öldür, ölmek istiyorum, yaşamak istemiyorum',
  'bunuh diri, ingin mati, mau mati, tự sát, muốn chết',
  // Arabic, Hindi, Chinese, Japanese, Korean
  'انتحار, أريد أن أموت, اقتل نفسي, لا أريد أن أعيش, आत्महत्या, मरना चाहता, मरना चाहती, जीना नहीं चाहता, जीना नहीं चाहती',
  '自杀, 自殺, 想死, 不想活, 结束生命, 轻生, 自残, 死にたい, 消えたい, 自傷, 자살, 죽고 싶, 자해',
].flatMap((line) => line.split(', '))

/** Lower case without accents, apostrophes or double spaces: "I can’t go on" becomes "i cant go on". */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’‘`]/g, '')
    .replace(/[\s\-_.]+/g, ' ')

const PLAIN_PHRASES = PHRASES.map(plain)

export function asksForHelp(text: string): boolean {
  const words = ` ${plain(text)}`
  // Latin and Cyrillic phrases must start at the beginning of a word. Other scripts match anywhere.
  return PLAIN_PHRASES.some((phrase) => words.includes(/^[a-zа-яіїєґ]/.test(phrase) ? ` ${phrase}` : phrase))
}

export type CrisisContact = { regions: string[]; place: string; name: string; phone: string }

/** Free crisis lines by country, open around the clock where available. */
export const CRISIS_CONTACTS: readonly CrisisContact[] = [
  { regions: ['US', 'CA'], place: 'USA, Canada', name: '988 Suicide & Crisis Lifeline', phone: '988' },
  { regions: ['GB', 'IE'], place: 'UK, Ireland', name: 'Samaritans', phone: '116 123' },
  { regions: ['DE'], place: 'Germany', name: 'TelefonSeelsorge', phone: '0800 111 0 111' },
  { regions: ['AT'], place: 'Austria', name: 'Telefonseelsorge', phone: '142' },
  { regions: ['CH'], place: 'Switzerland', name: 'Die Dargebotene Hand', phone: '143' },
  { regions: ['NL'], place: 'Netherlands', name: '113 Zelfmoordpreventie', phone: '0800 0113' },
  { regions: ['FR'], place: 'France', name: 'Numéro national de prévention du suicide', phone: '3114' },
  { regions: ['ES'], place: 'Spain', name: 'Línea 024', phone: '024' },
  { regions: ['PT'], place: 'Portugal', name: 'SNS 24', phone: '808 24 24 24' },
  { regions: ['IT'], place: 'Italy', name: 'Telefono Amico', phone: '02 2327 2327' },
  { regions: ['PL'], place: 'Poland', name: 'Kryzysowy telefon zaufania', phone: '116 123' },
  { regions: ['UA'], place: 'Ukraine', name: 'Lifeline Ukraine', phone: '7333' },
  { regions: ['BR'], place: 'Brazil', name: 'CVV', phone: '188' },
  { regions: ['MX'], place: 'Mexico', name: 'Línea de la Vida', phone: '800 911 2000' },
  { regions: ['AR'], place: 'Argentina', name: 'Centro de Asistencia al Suicida', phone: '135' },
  { regions: ['IN'], place: 'India', name: 'Tele-MANAS', phone: '14416' },
  { regions: ['CN'], place: 'China', name: '全国统一心理援助热线', phone: '12356' },
  { regions: ['JP'], place: 'Japan', name: 'よりそいホットライン', phone: '0120 279 338' },
  { regions: ['KR'], place: 'South Korea', name: '자살예방 상담전화', phone: '109' },
  { regions: ['ID'], place: 'Indonesia', name: 'Kemenkes', phone: '119' },
  { regions: ['SG'], place: 'Singapore', name: 'Samaritans of Singapore', phone: '1767' },
  { regions: ['ZA'], place: 'South Africa', name: 'SADAG', phone: '0800 567 567' },
  { regions: ['AU'], place: 'Australia', name: 'Lifeline', phone: '13 11 14' },
  { regions: ['NZ'], place: 'New Zealand', name: '1737', phone: '1737' },
]

/** For all other countries: a directory of free crisis lines. */
export const HELPLINE_DIRECTORY = 'https://findahelpline.com'

/** All contacts, those of the given region first. */
export function crisisContacts(region: string | undefined): CrisisContact[] {
  const isNear = ({ regions }: CrisisContact) => region !== undefined && regions.includes(region)
  return [...CRISIS_CONTACTS.filter(isNear), ...CRISIS_CONTACTS.filter((contact) => !isNear(contact))]
}

import { expect, test } from 'vitest'
import { asksForHelp, CRISIS_CONTACTS, crisisContacts } from './support-crisis.ts'

test.each([
  'I want to die',
  'i can’t go on like this',
  "I don't want to live any more",
  'thinking about SUICIDE',
  'self-harm',
  'Ich möchte nicht mehr leben',
  'j’ai envie de mourir',
  'Quiero morir',
  'NÃO QUERO VIVER',
  'nao quero viver',
  'non voglio vivere più',
  'nie chcę żyć',
  'я не хочу жить',
  'intihar etmek istiyorum',
  'أريد أن أموت',
  'मैं मरना चाहता हूँ',
  '我不想活了',
  '死にたい',
  '죽고 싶어요',
])('“%s” shows crisis contacts', (text) => {
  expect(asksForHelp(text)).toBe(true)
})

test.each([
  'My withdrawal has not arrived',
  'The quiz killed my streak',
  'I would die for more challenges',
  'Where do I find my referral code?',
  'Kann ich meinen Plan ändern?',
  '我的步数没有显示',
  '',
])('“%s” does not show crisis contacts', (text) => {
  expect(asksForHelp(text)).toBe(false)
})

test('the contacts of the user’s country come first, and none is left out', () => {
  expect(crisisContacts('BR')[0]?.name).toBe('CVV')
  expect(crisisContacts('BR')).toHaveLength(CRISIS_CONTACTS.length)
  expect(crisisContacts(undefined)).toEqual(CRISIS_CONTACTS)
  for (const { phone } of CRISIS_CONTACTS) expect(phone).toMatch(/^[\d ]+$/)
})

import { describe, expect, test } from 'vitest'
import { CLOSED_USER_NAME, hasHiddenCharacters, hasStackedMarks, isReservedName, isReservedUsername } from './names.js'
import { USERNAME_PATTERN } from './username.js'

describe('a username', () => {
  test('begins with a letter or a digit', () => {
    for (const good of ['ana', 'Ana.Silva', '7-of_9']) expect(USERNAME_PATTERN.test(good)).toBe(true)
    for (const bad of ['...', '-_-', '.ana', 'an', 'a b', 'тест', 'x'.repeat(31)]) {
      expect(USERNAME_PATTERN.test(bad)).toBe(false)
    }
  })

  test('cannot look like an account of Holdfast', () => {
    for (const ours of ['admin', 'closed-account', 'mediation', 'Support', 'SYS.TEM', 'hold-fast', 'Holdfast_Help']) {
      expect(isReservedUsername(ours)).toBe(true)
    }
    for (const ours of ['h0ldfast', 'HO1DFAST', 'adm1n', '5upport']) expect(isReservedUsername(ours)).toBe(true)
    for (const ours of ['team.holdfast', 'official-holdfast', 'escrow-support', 'the.admin', '0fficial_H0ldfast']) {
      expect(isReservedUsername(ours)).toBe(true)
    }
    for (const theirs of ['ana', 'admina', 'supporter', 'my.holdfast', 'team.ana', 'escrow.fan'])
      expect(isReservedUsername(theirs)).toBe(false)
  })
})

describe('a person’s name', () => {
  test.each([
    ['Holdfast', 'Support'],
    ['Hold', 'Fast'],
    ['The H0ldfast', 'Team'],
    ['Ноldfаѕt', 'Help'],
    ['Escrow', 'Team'],
    ['Customer', 'Suppórt'],
    ['Anna', 'Admin'],
    ['M0derator', 'Max'],
    ['Hołdfast', 'Help'],
    ['Høldƒast', 'Help'],
    ['Hօldfast', 'Help'],
    ['Escrow-Team', 'Ana'],
    ['EscrowTeam', 'Ana'],
    ['Customer', 'Service'],
    ['CustomerCare', 'Ana'],
    ['Ana', 'Help Desk'],
    ['Mediation', 'Team'],
    ['M3diation', 'Ana'],
    ['Moderation', 'Team'],
    ['Closed', 'account'],
    ['Clösed', 'Aсcount'],
    [CLOSED_USER_NAME, '7'],
  ])('cannot look like a part of Holdfast: %s %s', (firstName, lastName) => {
    expect(isReservedName(firstName, lastName)).toBe(true)
  })

  test.each([
    ['Ana', 'Silva'],
    ['Frank', 'Staff'],
    ['Иван', 'Петров'],
    ['Fast', 'Holder'],
    ['Αλέξης', 'Παπάς'],
    ['Lin', 'Supporter'],
    ['Łukasz', 'Støre'],
    ['Ana', 'Staff-Meyer'],
    ['Care', 'Santos'],
    ['Thế', 'Thế'],
    ['Helper', 'Closed'],
    ['Theresa', 'Service-Meyer'],
    ['María José', 'Núñez de la Peña'],
    ['Þórður', 'Ægisson'],
    ['Nguyễn', 'Thị Thế'],
    ['Ọlọ́runfẹ́mi', 'Adébáyọ̀'],
    ['Ἀλέξανδρος', 'Παπαδόπουλος'],
    ['Ўладзімір', 'Короткевич'],
    ['שָׂרָה', 'בֶּן־דָּוִד'],
    ['مُحَمَّدٌ', 'الرَّحْمٰن'],
    ['क्षितिज', 'श्रीवास्तव'],
    ['শ্রীকৃষ্ণ', 'চট্টোপাধ্যায়'],
    ['ஸ்ரீனிவாசன்', 'சுப்பிரமணியம்'],
    ['ณัฐฐ์', 'กิตติ์ธนกุล'],
    ['ຄໍາ', 'ພູ້'],
    ['မြွှေ့', 'ဖြိုး'],
    ['ស្រ្តី', 'ភ្នំ'],
    ['བསྒྲུབས', 'ཧཱུྃ'],
    ['გიორგი', 'Հովհաննիսյան'],
    ['ሰላማዊት', '李小龍'],
    ['がくと', '김철수'],
  ])('may be %s %s', (firstName, lastName) => {
    expect(isReservedName(firstName, lastName)).toBe(false)
    for (const form of ['NFC', 'NFD'])
      for (const name of [firstName, lastName]) expect(hasStackedMarks(name.normalize(form))).toBe(false)
  })

  test('covers no other lines with marks', () => {
    for (const stacked of [`A${'\u0301'.repeat(4)}na`, 'Z\u0337\u0322\u035D\u0301a', `ก${'\u0E49'.repeat(7)}`]) {
      expect(hasStackedMarks(stacked)).toBe(true)
    }
  })

  test('hides nothing', () => {
    for (const hidden of ['Ana\u202E', 'An\u200Ba', '\u200FAna', 'Ana\u2066', 'A\u00ADna', 'An\u200Da', '\u061CAna']) {
      expect(hasHiddenCharacters(hidden)).toBe(true)
    }
    for (const seen of ['Ana', 'José', 'علی\u200Cرضا', 'क्\u200Dष', 'O’Brien', '李'])
      expect(hasHiddenCharacters(seen)).toBe(false)
  })
})

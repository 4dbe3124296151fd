import { CLOSED_USER_NAME } from '@holdfast/kernel/closed-username'
import { USERNAME_PATTERN } from '@holdfast/kernel/username'
import { hasHiddenCharacters, hasStackedMarks, isReservedName, isReservedUsername } from './names.js'
import { isOneScript } from './scripts.js'

describe('a username', () => {
  test('begins with a letter or a digit', () => {
    for (const good of ['ana', 'Ana.Silva', '7-of_9']) expect(USERNAME_PATTERN.test(good)).toBe(true)
    for (const bad of ['...', '-_-', '.ana', 'an', 'a b', 'тест', 'x'.repeat(31)]) {
      expect(USERNAME_PATTERN.test(bad)).toBe(false)
    }
  })

  test.each([
    [
      'the product’s name',
      ['holdfast', 'Holdfast_Help', 'hold-fast', 'h0ldfast', 'HO1DFAST', 'team.holdfast', 'my.holdfast', 'notholdfast'],
    ],
    [
      'a role',
      ['admin', 'Support', 'SYS.TEM', 'adm1n', '5upport', 'mediation', 'escrow', 'no-reply', 'NoReply', 'official'],
    ],
    ['a role with a number', ['admin1', 'support24', '2billing', 'adm1n_7']],
    ['what Unicode gives the same skeleton', ['adrnin', 'SY5TErn', 'adrninistrator']],
    [
      'only words of ours',
      [
        'billing.dept',
        'dispute_desk',
        'deposit.release',
        'escrow.payments',
        'support-team',
        'trust_and_safety',
        'paymentprotection',
        'the.admin',
        'help.desk2',
      ],
    ],
    ['a word of a department', ['trust', 'safety', 'payment', 'billing', 'desk']],
    ['a closed account', ['closed-account', 'c1osed.account']],
  ])('is refused for %s', (_, usernames) => {
    expect(usernames.filter(username => !isReservedUsername(username))).toEqual([])
  })

  test.each([
    'ana',
    'admina',
    'supporter',
    'team.ana',
    'escrow.fan',
    'the0',
    'theo',
    'grace.trust',
    'ine5',
    'rootbeer',
    'careful',
    'm.helper',
  ])('may be %s', username => {
    expect(isReservedUsername(username)).toBe(false)
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
    // Letters of other scripts, and styles of letters.
    ['Нolɗfast', 'Desk'],
    ['ʜᴏʟᴅꜰᴀꜱᴛ', 'Ana'],
    ['Ｈｏｌｄｆａｓｔ', 'Ana'],
    ['𝓗𝓸𝓵𝓭𝓯𝓪𝓼𝓽', 'Ana'],
    ['ⓗⓞⓛⓓⓕⓐⓢⓣ', 'Ana'],
    ['🅷🅾🅻🅳🅵🅰🆂🆃', 'Ana'],
    ['H̶o̶l̶dfast', 'Ana'],
    ['Ana', 'ʜolꓒfast'],
    ['Ana', 'Sᴜᴘᴘᴏʀᴛ'],
    // Departments.
    ['Payment', 'Protection'],
    ['Trust', '& Safety'],
    ['Trust and', 'Safety'],
    ['Trust & Safety', 'Ana'],
    ['Payment', 'Team'],
    ['Dispute', 'Desk'],
    ['Bank', 'Transfer'],
    ['Ana', 'Billing Desk'],
    ['Escrow', 'Payments'],
    ['Official', 'Ana'],
    ['No-Reply', 'Ana'],
    ['Security', 'Ana'],
    ['Admin1', 'Ana'],
    ['S u p p o r t', '1'],
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
    ['Grace', 'Trust'],
    ['Jon', 'Bank'],
    ['Mo', 'D'],
    ['Trust', 'Moyo'],
    ['Hans', 'Billing'],
    ['Anne', 'Payment'],
    ['Jan', 'Root'],
    ['Max', 'Office Smith'],
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
    expect([firstName, lastName].every(isOneScript)).toBe(true)
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

  test.each([
    ['Latin', 'Ana-María O’Brien 3rd', true],
    ['Cyrillic', 'Аня', true],
    ['Japanese', '山田ひかりタロウ', true],
    ['Korean', '김李', true],
    ['Chinese', '李ㄅㄆ', true],
    ['full-width letters', 'Ａｎａ', true],
    ['Latin and Cyrillic', 'Anа', false],
    ['Latin and Greek', 'Αna', false],
    ['Latin and Armenian', 'Jօhn', false],
    ['Latin and Cherokee', 'Ꭺna', false],
    ['Cyrillic and a mathematical letter', 'Аня𝐚', false],
    ['Japanese and Korean', 'ひ김', false],
    ['Latin and Chinese', 'Ana李', false],
  ])('has letters of one script: %s', (_, name, isOne) => {
    expect(isOneScript(name)).toBe(isOne)
  })
})

import { escapeHtml } from './html.js'

describe('escaping', () => {
  test('leaves no character that ends an element or an attribute', () => {
    expect(escapeHtml(`<b title="a" lang='b'>R&D</b>`)).toBe(
      '&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt;R&amp;D&lt;/b&gt;',
    )
    expect(escapeHtml('plain text')).toBe('plain text')
  })
})

/** Ids of events that a queue, a path or a header may not take as they are. */
export const HOSTILE_IDS: readonly string[] = [
  '🧾',
  'a🧾',
  '🧾a',
  '𝒳',
  '👩‍👩‍👧',
  '🇩🇪',
  '🧾'.repeat(128),
  '🧾'.repeat(256),
  '\ufffe',
  '\uffff',
  'a\ufffe',
  'a\uffff\u{1f600}',
  '\u{1fffe}',
  '\u{10ffff}',
  'a\ud800',
  'a\udc00',
  'a\u0085',
  'a\u00a0\u2028\u202e',
  'é',
  '日本',
  '☃',
  'a/b//c',
  '100%2F%',
  ' a b ',
  '?a="\\#',
]

/** What SQS takes (Amazon SQS API Reference, SendMessage, MessageBody). */
export const TAKEN_BY_SQS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]+$/u

export const PRINTABLE_ASCII = /^[ -~]+$/

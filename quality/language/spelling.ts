const ISE =
  'apolog|author|canonical|capital|categor|custom|emphas|final|general|initial|local|material|maxim|memor|minim|neutral|normal|optim|organ|penal|pessim|priorit|random|real|recogn|sanit|serial|special|stabil|standard|summar|synchron|token|util|virtual|visual'

/** British spellings that documents of software use, each with the American one. */
export const BRITISH: readonly (readonly [pattern: RegExp, american: string])[] = [
  [/\b(?:mis|un|dis)?(?:behavi|col|fav|flav|hon|lab|neighb|rum|endeav|harb)our/i, '-or'],
  [new RegExp(`\\b(?:un|de|re)?(?:${ISE})is(?:e|es|ed|er|ing|ation)\\b`, 'i'), '-ize'],
  [/\b(?:analys|catalys|paralys)(?:e|ed|ing)\b/i, '-yze'],
  [/\b(?:catalogu|dialogu|analogu)e/i, '-og'],
  [/\b(?:licenc|defenc|offenc|pretenc)e/i, '-ense'],
  [/\b(?:cent|met|fib|theat|calib)re(?:s|d)?\b/i, '-er'],
  [/\b(?:cancel|travel|label|model|signal|tunnel|total|dial|fuel|level|marshal|initial)l(?:ed|ing|er)\b/i, 'one l'],
  [/\b(?:spelt|learnt|burnt|dreamt)\b/i, '-ed'],
  [
    /\b(?:grey|whilst|amongst|towards|afterwards|cheque|programme|tyre|artefact|ageing|judgement|fulfil|enrol|skilful|aluminium)\b/i,
    'the American form',
  ],
]

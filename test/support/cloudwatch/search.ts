/** A metric as CloudWatch knows it. */
export interface Metric {
  readonly namespace: string
  readonly name: string
  readonly dimensions: Readonly<Record<string, string>>
}

type Matcher = (metric: Metric) => boolean

/** CloudWatch user guide, "CloudWatch search expression syntax": limits. */
const LONGEST_QUERY = 1024

const SEARCH = /SEARCH\('((?:[^'\\]|\\.)*)', *'\w+'\)/g

/** The metrics that each SEARCH of a math expression finds. @throws Error for one that CloudWatch would refuse */
export function searchesIn(expression: string, metrics: readonly Metric[]): readonly (readonly Metric[])[] {
  return Array.from(expression.matchAll(SEARCH), ([, query = '']) => {
    if (query.length > LONGEST_QUERY) throw new Error(`a search has ${query.length} characters`)
    return metrics.filter(matcherOf(query))
  })
}

/** `{Namespace,Dimension…} terms`: the metrics with exactly these dimensions, of which the terms hold. */
function matcherOf(query: string): Matcher {
  const [, schema = '', terms = ''] = /^ *\{([^}]*)\},?(.*)$/s.exec(query) ?? []
  const [namespace, ...dimensions] = schema.split(',').map((name) => name.trim().replaceAll('"', ''))
  const holds = parsed(terms)
  return (metric) =>
    metric.namespace === namespace &&
    Object.keys(metric.dimensions).sort().join() === dimensions.sort().join() &&
    holds(metric)
}

const LEXEME = /\s*(\(|\)|AND\b|OR\b|NOT\b|(?:[\w:.]+=)?(?:"(?:[^"\\]|\\.)*"|[^\s()"]+))/y

/** Terms with AND, which may be left out, OR and NOT, in groups of parentheses. */
function parsed(text: string): Matcher {
  const rest = lexemes(text)

  function any(): Matcher {
    const choices = [all()]
    while (rest[0] === 'OR') {
      rest.shift()
      choices.push(all())
    }
    return (metric) => choices.some((holds) => holds(metric))
  }

  function all(): Matcher {
    const parts: Matcher[] = []
    while (rest.length > 0 && rest[0] !== ')' && rest[0] !== 'OR') {
      if (rest[0] === 'AND') rest.shift()
      parts.push(one())
    }
    return (metric) => parts.every((holds) => holds(metric))
  }

  function one(): Matcher {
    const lexeme = rest.shift() ?? ''
    if (lexeme === 'NOT') {
      const excluded = one()
      return (metric) => !excluded(metric)
    }
    if (lexeme !== '(') return termOf(lexeme)
    const group = any()
    if (rest.shift() !== ')') throw new Error(`a parenthesis stays open: ${text}`)
    return group
  }

  const holds = any()
  if (rest.length > 0) throw new Error(`cannot be read: ${text}`)
  return holds
}

function lexemes(text: string): string[] {
  const found: string[] = []
  const end = text.trimEnd().length
  LEXEME.lastIndex = 0
  while (LEXEME.lastIndex < end) {
    const [, lexeme] = LEXEME.exec(text) ?? []
    if (lexeme === undefined) throw new Error(`cannot be read: ${text}`)
    found.push(lexeme)
  }
  return found
}

/** `"exact"`, `partial`, or either of a property. */
function termOf(lexeme: string): Matcher {
  const [, property, quoted, plain = ''] = /^(?:([\w:.]+)=)?(?:"(.*)"|(.*))$/s.exec(lexeme) ?? []
  const exact = quoted?.replaceAll(/\\(.)/g, '$1')
  const isMatch = (text: string) => (exact === undefined ? hasTokens(text, plain) : text === exact)
  return (metric) => textsOf(metric, property).some(isMatch)
}

function textsOf({ namespace, name, dimensions }: Metric, property: string | undefined): readonly string[] {
  if (property === 'MetricName') return [name]
  if (property === 'Namespace') return [namespace]
  if (property !== undefined) return [dimensions[property] ?? []].flat()
  return [namespace, name, ...Object.keys(dimensions), ...Object.values(dimensions)]
}

/** The same guide, "Tokenization" and "Partial matches": tokens of the one stand in the other, one behind the other. */
function hasTokens(text: string, term: string): boolean {
  const wanted = tokensIn(term)
  const isSingle = wanted.length === 1
  const fold = (token: string) => (isSingle ? token.toLowerCase() : token)
  const there = tokensIn(text).map(fold)
  return there.some((_, start) => wanted.every((token, index) => there[start + index] === fold(token)))
}

/** New tokens begin with a capital behind a small letter, with a digit, and behind any other character. */
function tokensIn(text: string): readonly string[] {
  return text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'quality/README.md',
  'quality/bench/README.md',
  ...globSync('docs/**/*.md').sort(),
]

const read = (file: string) => readFileSync(file, 'utf8')

/** What a page says, without its examples. */
const prose = (file: string) => read(file).replaceAll(/^```.*?^```/gms, '')

/** The fragments of a page's headings, as GitHub makes them. */
function fragmentsOf(file: string): readonly string[] {
  return [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isThere(from: string, target: string): boolean {
  const [path, fragment] = target.split('#')
  const file = path ? join(dirname(from), path) : from
  return existsSync(file) && (fragment === undefined || fragmentsOf(file).includes(fragment))
}

describe.each(PAGES)('%s', (file) => {
  it('contains no broken link', () => {
    const links = [...prose(file).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, image]) =>
      String(link ?? image),
    )
    const inside = links.filter((target) => !/^https?:/.test(target))
    expect(inside.filter((target) => !isThere(file, target))).toEqual([])
  })

  it('names only existing commands', () => {
    const names = [...read(file).matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name)
    expect(names.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
  })
})

it.each(globSync('docs/decisions/[0-9]*.md'))('%s is in the list of decisions', (file) => {
  expect(read('docs/decisions/README.md')).toContain(`](${basename(file)})`)
})

describe('docs/console.md', () => {
  const shown = [...read('docs/console.md').matchAll(/"(pictures\/[^"]+)"/g)].map(([, picture]) => `docs/${picture}`)

  it('shows each picture of its folder, in both schemes', () => {
    expect(shown.toSorted()).toEqual(globSync('docs/pictures/*').sort())
    expect(new Set(shown.map((picture) => picture.replace('-dark', '-light'))).size * 2).toBe(shown.length)
  })
})

describe('a reader finds', () => {
  const linksOf = (file: string) =>
    [...prose(file).matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => join(dirname(file), link))
      .filter((target) => existsSync(target))

  it('every page of docs/ in two clicks from its landing page', () => {
    const first = linksOf('docs/README.md')
    const reached = new Set(['docs/README.md', ...first, ...first.flatMap(linksOf)])
    expect(globSync('docs/**/*.md').filter((file) => !reached.has(file))).toEqual([])
  })

  it('a README with a reading time of two minutes', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(6 * 1024)
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150)
    expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(120)
  })

  it('the same diagram in both schemes', () => {
    const [light, dark] = ['light', 'dark'].map((scheme) =>
      read(`docs/architecture-${scheme}.svg`).replaceAll(/#[0-9a-f]{6}/g, '#'),
    )
    expect(light).toBe(dark)
  })
})

/** A measured figure: a share, a duration below a second, a multiple, a price. */
const FIGURE = /\d ?(?:%|µs|ms|×|USD)(?!\w)/

it.each(['README.md', ...globSync('docs/*.md').sort()].filter((file) => FIGURE.test(prose(file))))(
  '%s names the command behind its figures',
  (file) => {
    expect(prose(file)).toMatch(/`(?:npm run [^`]+|npx vitest [^`]+)`|quality\/long\/[\w-]+\.test\.ts/)
  },
)

import { digits, type Row } from './findings.ts'

export type Results = Readonly<Record<string, { readonly machine: string; readonly figures: readonly Row[] }>>

/** A title, and which figures it has: the part, and what they begin with. */
const WORKS = [
  ['Bearer call, token seen', 'warm', '200, the token seen before, instructions'],
  ['Bearer call, token new', 'warm', '200, every token new, instructions'],
  ['Bearer call, role refused', 'warm', '403, another role, instructions'],
  ['Bearer call, cold', 'cold', 'a bearer token'],
  ['First webhook after init', 'cold', 'the first webhook after init'],
  ['Accepted webhook', 'accepted', 'accepted, limiter on'],
  ['Exact copy of a webhook', 'accepted', 'duplicate, limiter off'],
  ['STOMP, 1 under way', 'send', 'SEND, 1 subscribed, 1 under way'],
  ['STOMP, 64 under way', 'send', 'SEND, 1 subscribed, 64 under way'],
  ['STOMP, 64, to 50', 'send', 'SEND, 50 subscribed, 64 under way'],
  ['The whole job', 'job', 'received and delivered, per 1,000 events'],
] as const

/** These are shown, and the cheapest peer of each work. */
const NAMED = /^(?:middy-(?:jose|hmac)|express|hono$|rabbitmq|Express, |adnanh)/

/** In pixels, and the ratios at both ends of the logarithmic axis. */
const [LINE, LEFT, RIGHT, LEAST, MOST] = [18, 360, 740, 1 / 20, 20]

const TITLE = 'What peers take for the same work, as a multiple of what Gatehouse takes'
const STYLE = `text{font:12px system-ui,sans-serif;fill:#1f2328}.m{fill:#2b7a4b}.l{fill:#b35900}path{stroke:#8b949e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.m{fill:#3fb950}.l{fill:#f0883e}}`

/** Draws the peers' ratios as an SVG. */
export function barsOf(results: Results): string {
  const bars = WORKS.flatMap(([title, part, work]) => {
    const rows = results[part]?.figures.filter(({ what }) => what.startsWith(`${work}: `)) ?? []
    const peers = rows.map(({ what, times = 1 }) => ({ peer: what.slice(work.length + 2), times }))
    const others = peers.filter(({ peer }) => !/^(?:gatehouse|floor)$/.test(peer))
    const shown = others.filter(({ peer }, index) => index === 0 || NAMED.test(peer))
    return shown.map((bar, index) => ({ ...bar, title: index === 0 ? title : '' }))
  })
  const drawn = bars.map(({ title, peer, times }, index) => {
    const y = (index + 3) * LINE
    const [from, to] = [Math.min(times, 1), Math.max(times, 1)].map(placeOf) as [number, number]
    const texts = `<text y="${y}">${title}</text><text x="165" y="${y}">${peer}</text>`
    const bar = `<rect class="${times < 1 ? 'l' : 'm'}" x="${from}" y="${y - 11}" width="${to - from}" height="13"/>`
    return `${texts}${bar}<text x="${to + 5}" y="${y}">${digits(times)} ×</text>`
  })
  const [height, one] = [(bars.length + 4) * LINE, placeOf(1)]
  const told = bars.map(({ title, peer, times }) => `${title && `${title}: `}${peer} ${digits(times)}`).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${RIGHT + 60} ${height}" role="img" aria-labelledby="t d">
<title id="t">${TITLE}</title><desc id="d">${told}</desc><style>${STYLE}</style>
<text y="14">${TITLE} (logarithmic; left of 1: the peer takes less)</text>
<path d="M${one} 26V${height - 24}"/><text x="${one - 3}" y="${height - 8}">1</text>
${drawn.join('\n')}
</svg>
`
}

function placeOf(times: number): number {
  const share = Math.log(times / LEAST) / Math.log(MOST / LEAST)
  return Math.round(LEFT + Math.min(1, Math.max(0, share)) * (RIGHT - LEFT))
}

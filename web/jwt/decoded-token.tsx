import { now } from '../clock.ts'
import { timeLeft } from '../countdown.ts'
import { LiveTime } from '../ui/live-time.tsx'
import { decode, type TokenPart, timeOf } from './decode.ts'
import { CLAIM_MEANINGS, HEADER_MEANINGS, TIME_CLAIMS } from './meanings.ts'

/** The claims of a token about itself, which prove nothing. */
export function DecodedToken({ token }: { readonly token: string }) {
  const { header, payload, signature } = decode(token)
  return (
    <>
      <Expiry payload={payload} />
      <Members caption="Header" part={header} meanings={HEADER_MEANINGS} />
      <Members caption="Claims" part={payload} meanings={CLAIM_MEANINGS} />
      <p>
        Signature: <code>{signature === '' ? 'none' : signature}</code>
      </p>
    </>
  )
}

function Expiry({ payload }: { readonly payload: TokenPart }) {
  const end = payload.kind === 'object' ? timeOf(payload.members['exp']) : undefined
  if (!end) return null
  const left = timeLeft(end, now.value)
  return (
    <p>
      {left === undefined ? (
        <strong class="badge" data-tone="warn">
          Its time is over
        </strong>
      ) : (
        <>
          Ends in <strong class="countdown">{left}</strong>
        </>
      )}
    </p>
  )
}

interface MembersProperties {
  readonly caption: string
  readonly part: TokenPart
  readonly meanings: Readonly<Record<string, string>>
}

function Members({ caption, part, meanings }: MembersProperties) {
  if (part.kind === 'unreadable') {
    return (
      <p class="notice" data-tone="warn">
        {caption}: {part.reason}
      </p>
    )
  }
  return (
    <table class="claims">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(part.members).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <Value name={name} value={value} />
            </td>
            <td class="muted">
              {Object.hasOwn(meanings, name) ? meanings[name] : 'Not known here, and not looked at.'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const time = TIME_CLAIMS.includes(name) ? timeOf(value) : undefined
  return (
    <>
      <code>{typeof value === 'number' ? String(value) : JSON.stringify(value)}</code>
      {time && (
        <>
          <br />
          <LiveTime at={time} />
        </>
      )}
    </>
  )
}

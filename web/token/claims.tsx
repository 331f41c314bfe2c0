import { useId } from 'preact/hooks'
import { UNSEEN } from '../../lib/contract/console.ts'
import type { Members } from '../json.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ForeignText } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'
import { asText, type TokenPart, timeOf, withMember, withoutMember } from './token.ts'

interface MembersCardProps {
  readonly title: string
  readonly tone: 'violet' | 'run'
  readonly part: TokenPart
  /** The same part as it was signed. */
  readonly signed: TokenPart
  readonly meanings: Readonly<Record<string, string>>
  readonly change: (members: Members) => void
}

/** The members of a header or of claims, to change in place. */
export function MembersCard({ title, tone, part, signed, meanings, change }: MembersCardProps) {
  const heading = useId()
  const before: Members = signed.kind === 'object' ? signed.members : {}
  const removed = part.kind === 'object' ? Object.keys(before).filter((name) => !Object.hasOwn(part.members, name)) : []
  return (
    <section class="card stack" aria-labelledby={heading}>
      <h2 id={heading} class="tone" data-tone={tone}>
        {title}
      </h2>
      {part.kind === 'unreadable' ? (
        <p class="note" data-tone="wait">
          {part.reason}
        </p>
      ) : (
        Object.entries(part.members).map(([name, value]) => (
          <Member
            key={name}
            name={name}
            value={value}
            before={Object.hasOwn(before, name) ? before[name] : undefined}
            meaning={Object.hasOwn(meanings, name) ? meanings[name] : undefined}
            set={(text) => change(withMember(part.members, name, text))}
            remove={() => change(withoutMember(part.members, name))}
          />
        ))
      )}
      {removed.length > 0 && (
        <p>
          <Badge tone="wait" isSolid>
            Removed: <ForeignText text={removed.join(', ')} />
          </Badge>
        </p>
      )}
    </section>
  )
}

interface MemberProps {
  readonly name: string
  readonly value: unknown
  /** Undefined for a member that was added. */
  readonly before: unknown
  readonly meaning: string | undefined
  readonly set: (text: string) => void
  readonly remove: () => void
}

function Member({ name, value, before, meaning, set, remove }: MemberProps) {
  const id = useId()
  const time = TIME_CLAIMS.includes(name) ? timeOf(value) : undefined
  const isChanged = asText(before) !== asText(value)
  return (
    <div class="stack tight">
      <label for={id} class="small">
        <code>
          <ForeignText text={name} />
        </code>
        {meaning !== undefined && <span class="muted">, {meaning}</span>}
      </label>
      <div class="row">
        <div class="field grow">
          <input
            id={id}
            dir="auto"
            spellcheck={false}
            autocomplete="off"
            value={asText(value)}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        </div>
        <Button icon="x" class="bare" label={`Remove ${name}`} title={`Remove ${name}`} onClick={remove} />
      </div>
      {time && (
        <p class="small">
          <LiveTime at={time} />
        </p>
      )}
      <Unseen text={asText(value)} />
      {isChanged && before !== undefined && (
        <p class="small">
          <Badge tone="wait" icon="warn">
            was <ForeignText text={asText(before)} />
          </Badge>
        </p>
      )}
    </div>
  )
}

/** What a field cannot show: characters that are invisible or turn others around. */
function Unseen({ text }: { readonly text: string }) {
  if (!hasUnseen(text)) return null
  return (
    <p class="small wrap">
      Reads <ForeignText text={text} />
    </p>
  )
}

function hasUnseen(text: string): boolean {
  return text.match(UNSEEN) !== null
}

/** What the members of a header mean (RFC 7515 section 4.1, RFC 7519 section 5). */
export const HEADER_MEANINGS: Readonly<Record<string, string>> = {
  alg: 'the algorithm of the signature',
  typ: 'the type, JWT if given',
  kid: 'the key that signed it',
  crit: 'extensions that a reader has to know',
}

/** What the claims mean (RFC 7519 section 4.1, and our own `role` and `uid`). */
export const CLAIM_MEANINGS: Readonly<Record<string, string>> = {
  sub: 'the user',
  uid: 'the id of the account',
  role: 'the role',
  iat: 'issued at',
  exp: 'the end',
  nbf: 'not before',
  iss: 'the issuer',
  aud: 'the audience',
  jti: 'the id of the token',
}

/** The claims that are times, in seconds since 1970 (RFC 7519 section 2, NumericDate). */
const TIME_CLAIMS: readonly string[] = ['iat', 'exp', 'nbf']

import { makeCall } from '../call.ts'
import { CallerChoice } from '../caller-choice.tsx'
import { demoCallers } from '../callers.ts'
import { facts } from '../facts.ts'
import { mount } from '../mount.tsx'
import { TOKEN_ATTACKS } from '../token/attacks.ts'
import { logIn } from '../token/calls.ts'
import { VerdictPane } from '../token/checks.tsx'
import { CLAIM_MEANINGS, HEADER_MEANINGS, MembersCard } from '../token/claims.tsx'
import { decode, readPasted, withClaims, withHeaderOf } from '../token/token.ts'
import { createTokenLab, type TokenLab } from '../token/token-lab.ts'
import { Button, Choices } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Empty, PageBar, Scroll, Split } from '../ui/layout.tsx'

const lab = createTokenLab(facts, { exchange: makeCall, logIn })
const known = demoCallers('bearer', facts)

/** A token in its parts, beside what refuses it. */
export function TokenPage() {
  return (
    <Split
      label="Token"
      isStacked
      list={
        <>
          <PageBar title="Tokens">
            <CallerChoice label="Token for" caller={lab.caller} known={known} />
            <Button icon="user" disabled={lab.caller.value.username === ''} onClick={() => void lab.logInForToken()}>
              Log in for a token
            </Button>
          </PageBar>
          <Attacks />
          <Scroll label="Parts of the token" class="pad stack wide">
            <TokenParts lab={lab} />
            {lab.token.value === '' ? <NoToken /> : <Decoded />}
          </Scroll>
        </>
      }
      pane={{ label: 'Verdict', content: <VerdictPane lab={lab} /> }}
    />
  )
}

function Attacks() {
  const missing = TOKEN_ATTACKS.filter((attack) => !lab.canTry(attack))
  return (
    <Choices
      legend="Attack this token"
      class="line"
      head={['sword', 'Attack']}
      choices={TOKEN_ATTACKS.map((attack) => ({
        label: attack.label,
        title: attack.what,
        isOn: lab.attack.value === attack,
        isDisabled: missing.includes(attack),
        choose: () => lab.strike(attack),
      }))}
    >
      {missing.length > 0 && <span class="small muted">A page cannot sign: some attacks need the local stage.</span>}
    </Choices>
  )
}

function NoToken() {
  return (
    <Empty title="No token">
      <p class="muted">Paste one, log in for one, or choose an attack.</p>
    </Empty>
  )
}

function Decoded() {
  const { token, original } = lab
  const [now, signed] = [decode(token.value), decode(original.value)]
  const isEdited = token.value !== original.value
  return (
    <>
      <div class="row flow">
        <CopyButton text={token.value} of="the token" />
        {isEdited && (
          <Button icon="retry" onClick={lab.reset}>
            Undo all changes
          </Button>
        )}
      </div>
      <div class="cols">
        <MembersCard
          title="Claims"
          tone="run"
          part={now.payload}
          signed={signed.payload}
          meanings={CLAIM_MEANINGS}
          change={(members) => lab.edit(withClaims(token.value, members))}
        />
        <div class="stack">
          <MembersCard
            title="Header"
            tone="violet"
            part={now.header}
            signed={signed.header}
            meanings={HEADER_MEANINGS}
            change={(members) => lab.edit(withHeaderOf(token.value, members))}
          />
          <Signature signature={now.signature} isEdited={isEdited} />
        </div>
      </div>
    </>
  )
}

function Signature({ signature, isEdited }: { readonly signature: string; readonly isEdited: boolean }) {
  return (
    <section class="card stack" aria-labelledby="signature">
      <h2 id="signature" class="tone" data-tone="teal">
        Signature
      </h2>
      <p>
        {signature === ''
          ? 'None.'
          : isEdited
            ? 'Made over header and claims as they came. It does not fit what they say now.'
            : 'Covers every character of header and claims. Only the service has the keys.'}
      </p>
    </section>
  )
}

const COLORS = ['violet', 'run', 'teal'] as const

/** The field for a token, and the token in its three colors. */
function TokenParts({ lab }: { readonly lab: TokenLab }) {
  const { removed } = readPasted(lab.pasted.value)
  return (
    <>
      <div class="form">
        <label for="token">Paste a token</label>
        <div class="field">
          <textarea
            id="token"
            rows={2}
            spellcheck={false}
            autocomplete="off"
            value={lab.pasted.value}
            onInput={({ currentTarget }) => lab.paste(currentTarget.value)}
          />
        </div>
        <p class="small muted">
          {removed.length === 0
            ? 'With or without “Bearer”. It stays in this page until you ask the service.'
            : `Left out: ${removed.join(', ')}.`}
        </p>
      </div>
      {lab.token.value !== '' && (
        <section class="stack" aria-label="Encoded">
          <h2>Encoded</h2>
          <pre class="code">
            {lab.token.value.split('.').map((part, index) => (
              <>
                {index > 0 && '.'}
                <mark data-tone={COLORS[index] ?? 'bad'}>{part}</mark>
              </>
            ))}
          </pre>
        </section>
      )}
    </>
  )
}

mount(TokenPage)

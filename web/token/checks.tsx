import { useEffect, useRef } from 'preact/hooks'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ExchangeParts } from '../ui/exchange-parts.tsx'
import { Scroll } from '../ui/layout.tsx'
import { Part } from '../ui/pane.tsx'
import { CheckSteps } from '../ui/steps.tsx'
import { now, timeLeft } from '../ui/times.tsx'
import { READINGS } from './calls.ts'
import { ownVerdict, resultsOf, tokenSteps } from './judge.ts'
import { decode, membersOf, timeOf } from './token.ts'
import type { TokenLab } from './token-lab.ts'

/** Which check refuses the token: by the page alone, and by the service once it was asked. */
export function VerdictPane({ lab }: { readonly lab: TokenLab }) {
  const { token, original, answer, attack } = lab
  const isEmpty = token.value === '' && attack.value === undefined
  const own = isEmpty ? undefined : ownVerdict(token.value, token.value !== original.value, now.value)
  const given = answer.value
  const hasSteps = !isEmpty || given !== undefined
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    if (given && attack.value) head.current?.scrollIntoView()
  }, [given])
  return (
    <>
      <header class="bar line" ref={head}>
        <span class="grow stack tight">
          <h2>Verdict</h2>
          <span class="small muted num">{given ? callText(given.exchange) : 'The page alone, without the keys'}</span>
        </span>
        <Button icon="shield-ok" class="main-btn" onClick={() => void lab.ask()}>
          Ask the service
        </Button>
      </header>
      <Scroll label="Checks of the token" class="pad stack wide">
        <div class="stack" role="status">
          <Problem text={lab.problem.value} />
          {hasSteps && <Verdict status={given?.verdict ?? own} isAnswer={given !== undefined} />}
          {attack.value && <p class="small wrap">{attack.value.what}</p>}
        </div>
        <Expiry token={token.value} />
        <Part title="Checks, in the order in which they run">
          <CheckSteps steps={tokenSteps(hasSteps ? resultsOf(own, given?.verdict) : [])} />
        </Part>
        {given && <ExchangeParts exchange={given.exchange} />}
      </Scroll>
    </>
  )
}

function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p class="note" data-tone="bad">
      {text}
    </p>
  )
}

type Status = keyof typeof READINGS

function Verdict({ status, isAnswer }: { readonly status: Status | undefined; readonly isAnswer: boolean }) {
  if (status === undefined) return <Open />
  const { tone, text } = READINGS[status]
  return (
    <div class="note stack tight" data-tone={tone}>
      <p>
        <Badge tone={tone} isSolid>
          {status}
        </Badge>{' '}
        <span class="small muted">{isAnswer ? 'says the service' : 'by what the page can check'}</span>
      </p>
      <p>{text}</p>
    </div>
  )
}

function Open() {
  return (
    <div class="note" data-tone="note">
      <p>
        The page finds nothing wrong. Only the service has the keys: it alone can check the signature and the account.
      </p>
    </div>
  )
}

function Expiry({ token }: { readonly token: string }) {
  const end = timeOf(membersOf(decode(token).payload)['exp'])
  if (!end) return null
  const left = timeLeft(end, now.value)
  return left === undefined ? null : <p class="num">Ends in {left}</p>
}

function callText({ call, status, milliseconds }: NonNullable<TokenLab['answer']['value']>['exchange']): string {
  return `${call.method} ${call.path} answered ${status} in ${milliseconds} ms`
}

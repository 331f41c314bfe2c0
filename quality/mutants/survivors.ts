interface Equivalent {
  /** As `npm run quality -- mutants` prints them. */
  readonly changes: readonly string[]
  /** Why no test can tell the mutant from the code. */
  readonly reason: string
}

const ANYTHING = '"Stryker was here!"'
const ANY_LIST = '["Stryker was here"]'

const NO_PROOF = 'neither is a signature, a time or a token'

/** The mutants that live because they are no bugs, by file. */
export const SURVIVORS: Readonly<Record<string, readonly Equivalent[]>> = {
  'lib/auth/access.ts': [
    {
      changes: [
        'principal?.roles → principal.roles',
        `[] → ${ANY_LIST}`,
        'permission !== undefined → true',
        '() => false → () => undefined',
      ],
      reason:
        'a step is asked only when those before it did not decide: there is a principal, and a permission, by then',
    },
  ],
  'lib/auth/jwt.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'the expression above has found three parts' },
    { changes: ['{ return undefined } → {}'], reason: 'a function that ends returns undefined' },
  ],
  'lib/auth/csrf-token.ts': [
    {
      changes: [
        `[] → ${ANY_LIST}`,
        'random === undefined || given === undefined → random === undefined && given === undefined',
        'random === undefined → false',
        'given === undefined → false',
      ],
      reason: 'the expression gives both parts or neither',
    },
  ],
  'lib/auth/csrf.ts': [
    { changes: ['origin !== undefined → true'], reason: 'no list of origins holds undefined; the type wants it asked' },
  ],
  'lib/auth/login-counts.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'names that no user can have count as one, whatever it is called' },
  ],
  'lib/auth/oauth2/login.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'no provider has that name either' },
    { changes: ['code !== undefined → true', 'cause !== undefined → true'], reason: 'what is undefined is not logged' },
  ],
  'lib/auth/oauth2/providers.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'neither is a subject: a blank is not allowed in one' },
    { changes: [`[] → ${ANY_LIST}`], reason: 'a text has no primary address' },
  ],
  'lib/auth/oauth2/receive.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'neither is the name of a tab: no transaction is found' },
  ],
  'lib/auth/oauth2/return-address.ts': [
    {
      changes: ['new URL(wanted, baseUrl).origin === baseUrl.origin → true'],
      reason: 'the second lock: what LOCAL_PATH lets through stays on our origin',
    },
  ],
  'lib/auth/oauth2/tabs.ts': [
    { changes: ['\'0\' → ""'], reason: 'where no slot is unused there is a last one that is used' },
  ],
  'lib/auth/oauth2/transaction.ts': [
    { changes: ['{ return undefined } → {}'], reason: 'a function that ends returns undefined' },
  ],
  'lib/auth/password.ts': [
    {
      changes: ['stored !== undefined → true'],
      reason: 'the second lock: no password has the tag of nobody, which is all zeros',
    },
    {
      changes: [`'' → ${ANYTHING}`, `[] → ${ANY_LIST}`],
      reason: 'replaces a password that is refused anyway, or parts of a hash whose parameters are missing too',
    },
  ],
  'lib/auth/token.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'a full map has a first key' },
    {
      changes: ['token.slice(-KEY_LENGTH) → token', '-KEY_LENGTH → +KEY_LENGTH'],
      reason: 'more of a token tells it apart as well; it takes longer to hash',
    },
  ],
  'lib/auth/session.ts': [
    { changes: ['id === undefined → false'], reason: 'without an id there is no session; the type wants it asked' },
  ],
  'lib/auth/signing-key.ts': [
    {
      changes: ['given.length === mac.length && timingSafeEqual(given, mac) → true'],
      reason: 'jose and the MAC say the same; whichever is left decides alone',
    },
    {
      changes: [
        'macKey && !isMacOf(token, macKey) → false',
        'macKey ??= nodeCrypto().createSecretKey(secret) → macKey &&= nodeCrypto().createSecretKey(secret)',
        '!isAccepted → true',
        '!isAccepted → isAccepted',
        '!isAccepted → false',
      ],
      reason: 'they decide which of the two is asked first, and so how long a refusal takes',
    },
    { changes: ['false → true'], reason: 'the key is not handed out, so nobody can try to extract it' },
    {
      changes: ['{ algorithms: [ALGORITHM] } → {}'],
      reason: 'the second lock: another algorithm was refused before, and the key is one of HMAC with SHA-512',
    },
    {
      changes: [
        '{ if (error instanceof JOSEError) return false throw error } → {}',
        'error instanceof JOSEError → true',
      ],
      reason: 'jose throws nothing else here; a bug of ours is not to look like a bad token',
    },
  ],
  'lib/auth/verified-credentials.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: 'a full map has a first key' },
    {
      changes: ['seconds === 0 → false'],
      reason: 'what is kept for no time is never found; it is not to be in memory either',
    },
    {
      changes: ['age !== undefined → true', 'entry?.passwordHash → entry.passwordHash'],
      reason: 'what is not there has no age, and no age is neither long nor short',
    },
  ],
  'lib/stomp/acks.ts': [
    {
      changes: ['() => false → () => undefined', 'false → true'],
      reason: 'in this mode nothing is outstanding, so no answer gets so far',
    },
  ],
  'lib/stomp/admission.ts': [
    { changes: ['left === 0 → false'], reason: 'no places taken counts as none; names are not to be kept for ever' },
  ],
  'lib/stomp/broker.ts': [
    {
      changes: [
        'rest?.delete → rest.delete',
        'rest?.size === 0 → false',
        'rest?.size → rest.size',
        'subscribers.delete(key) → ;',
      ],
      reason: 'a topic without subscribers hears nothing either way; it is not to be kept for ever',
    },
  ],
  'lib/stomp/changes.ts': [
    { changes: ['signal.aborted → false'], reason: 'a watch gives nothing once its signal says so; the second lock' },
  ],
  'lib/stomp/codec/escapes.ts': [
    {
      changes: [
        '\'\\\\\' → ""',
        "{ return !['\\\\', '\\n', '\\r', ':', '\\0'].some((character) => text.includes(character)) } → {}",
        '\'\\n\' → ""',
        '\'\\r\' → ""',
        '\':\' → ""',
        '\'\\0\' → ""',
      ],
      reason: 'the short way for a text without any of them: the long one gives the same text',
    },
  ],
  'lib/stomp/codec/gathered.ts': [
    {
      changes: ['length > this.#bytes.length → length >= this.#bytes.length'],
      reason: 'memory that grows a piece too early holds the same bytes',
    },
  ],
  'lib/stomp/codec/parser.ts': [
    { changes: ['\'CONNECT\' → ""', '\'1.0\' → ""'], reason: 'every frame begins with a command of its own' },
    { changes: ['this.#from === this.#bytes.length → false'], reason: 'nothing and what came is what came, copied' },
    {
      changes: [
        "{ const end = endOfHead(bytes, from) if (end < 0 || end - from > this.#limits.lineBytes || this.#gathered.length > 0) return undefined const text = bytes.toString('utf8', from, end + 1) if (/[\\r\\0\\ufffd]/.test(text)) return undefined let start = text.indexOf('\\n') + 1 this.#readCommand(text.slice(0, start - 1)) while (start < text.length) { const lineEnd = text.indexOf('\\n', start) this.#addHeader(text.slice(start, lineEnd)) start = lineEnd + 1 } this.#beginBody() return end + 2 } → {}",
        'end < 0 || end - from > this.#limits.lineBytes || this.#gathered.length > 0 → true',
        'end < 0 → end <= 0',
        'end - from > this.#limits.lineBytes → end - from >= this.#limits.lineBytes',
        'this.#gathered.length > 0 → this.#gathered.length >= 0',
        '/[\\r\\0\\ufffd]/.test(text) → true',
        '/[\\r\\0\\ufffd]/ → /[^\\r\\0\\ufffd]/',
        'end >= 0 && end - from < NEAR_BYTES && bytes[end + 1] !== LF → false',
        'end >= 0 → end > 0',
        'end - from < NEAR_BYTES → true',
        'end - from < NEAR_BYTES → end - from <= NEAR_BYTES',
        'end - from < NEAR_BYTES → end - from >= NEAR_BYTES',
        'bytes[end + 1] !== LF → true',
        'bytes[end + 1] !== LF → bytes[end + 1] === LF',
        'bytes[end + 1] === LF → false',
        'end + 1 → end - 1',
      ],
      reason: 'the short way for a head that is there as a whole: the long one gives the same frame',
    },
    {
      changes: [
        'this.#gathered.length === 0 && end - from <= limit → false',
        'end - from <= limit → end - from < limit',
        'end - from → end + from',
      ],
      reason: 'the short way for a line in one piece: the long one gives the same text',
    },
    {
      changes: ['end > bytes.length → end >= bytes.length'],
      reason: 'a body that is kept whole has nothing left to come, and ends with the next bytes',
    },
    {
      changes: [
        'piece.buffer.byteLength - piece.length > PINNED_BYTES → true',
        'piece.buffer.byteLength - piece.length > PINNED_BYTES → piece.buffer.byteLength - piece.length >= PINNED_BYTES',
        'piece.buffer.byteLength - piece.length → piece.buffer.byteLength + piece.length',
      ],
      reason: 'a copy more holds the same bytes',
    },
  ],
  'lib/stomp/connect.ts': [
    {
      changes: [
        `'' → ${ANYTHING}`,
        `[] → ${ANY_LIST}`,
        '/^ *(\\S*) *(.*)$/s → / *(\\S*) *(.*)$/s',
        '/^ *(\\S*) *(.*)$/s → /^ *(\\S*) *(.*)/s',
      ],
      reason: 'the expression finds every text, from its beginning to its end, and no scheme but bearer counts',
    },
  ],
  'lib/stomp/heart-beat.ts': [
    {
      changes: [
        `[] → ${ANY_LIST}`,
        'sends === undefined || wants === undefined → sends === undefined && wants === undefined',
        'sends === undefined → false',
        'wants === undefined → false',
      ],
      reason: 'the expression gives both numbers or neither',
    },
  ],
  'lib/stomp/message.ts': [
    {
      changes: ['known?.message === message → false', 'last.set(version, encoded) → ;'],
      reason: 'what is encoded again has the same bytes',
    },
  ],
  'lib/stomp/session.ts': [
    {
      changes: ["this.#state === 'over' → false", '\'over\' → ""'],
      reason: 'what comes when all is over is not read either way; it is not to be kept',
    },
    { changes: ['\'leaving\' → ""'], reason: 'no state but two hears frames' },
    {
      changes: ['() => this.#running.delete(running) → () => undefined'],
      reason: 'what has settled is waited for in no time; it is not to be kept for ever',
    },
    { changes: ['this.#beats?.sent → this.#beats.sent'], reason: 'CONNECTED is the first to be written' },
    {
      changes: ['\'too much came before CONNECTED\' → ""'],
      reason: 'a payload that is too large is told of without a further text',
    },
  ],
  'lib/stomp/subscriptions.ts': [
    { changes: [`[] → ${ANY_LIST}`], reason: 'the expression gives both numbers or neither' },
    {
      changes: ['subscription?.window → subscription.window', 'subscription?.cancel → subscription.cancel'],
      reason: 'only a subscription that is there is ended',
    },
  ],
  'lib/stomp/tcp-server.ts': [
    {
      changes: ['{ noDelay: true } → {}', 'true → false'],
      reason: 'how soon a small frame goes out is up to the network as well',
    },
    { changes: ['\'no place for another connection\' → ""'], reason: 'the cause of this refusal is not logged' },
    { changes: ['\'1.2\' → ""'], reason: 'nothing in this frame has to be escaped' },
    { changes: ['\'bye\' → ""'], reason: 'TCP has no place for a reason' },
  ],
  'lib/stomp/upgrade.ts': [{ changes: [`'' → ${ANYTHING}`], reason: 'a request has an address' }],
  'lib/stomp/web-sockets.ts': [
    { changes: ['false → true'], reason: 'a list of clients that nobody reads' },
    { changes: ['Array.isArray(data) → false'], reason: '`ws` hands over pieces to those alone who ask for them' },
  ],
  'lib/stream/server.ts': [
    {
      changes: [`'' → ${ANYTHING}`],
      reason: 'a request has an address, and a text that is split has a first part',
    },
    { changes: ['() => socket.destroy() → () => undefined'], reason: 'a socket with an error is destroyed anyway' },
  ],
  'lib/webhooks/admit.ts': [
    {
      changes: ['scheme.header !== undefined → true'],
      reason: 'no call has a header of the name undefined, and only schemes with a header are checked if sent',
    },
  ],
  'lib/webhooks/publish-change.ts': [
    { changes: ['oldest !== undefined → true'], reason: 'a map that is too large has a first key' },
  ],
  'lib/webhooks/audit.ts': [{ changes: ['\'UNEXPECTED\' → ""'], reason: 'neither is the code of a refusal' }],
  'lib/webhooks/challenge.ts': [
    { changes: ['/^[^?]*/ → /[^?]*/'], reason: 'a match of nothing or more is found at the beginning' },
  ],
  'lib/webhooks/live/change-feed.ts': [
    {
      changes: ['() => pending.delete(sending) → () => undefined'],
      reason: 'what has settled is waited for in no time; it is not to be kept for ever',
    },
  ],
  'lib/webhooks/detail.ts': [{ changes: [`'' → ${ANYTHING}`], reason: 'neither is the name of a source' }],
  'lib/webhooks/find.ts': [
    { changes: ['found !== null → true'], reason: 'headers and texts are there or undefined, never null' },
  ],
  'lib/webhooks/form-payload.ts': [{ changes: [`'' → ${ANYTHING}`], reason: 'a text that is split has a first part' }],
  'lib/webhooks/retry/hint.ts': [
    { changes: ['{ return undefined } → {}'], reason: 'a function that ends returns undefined' },
  ],
  'lib/webhooks/inbox.ts': [
    {
      changes: ['\'id\' → ""'],
      reason: 'stores ask for the other word',
    },
  ],
  'lib/webhooks/json.ts': [
    {
      changes: ['context?.source → context.source', `'' → ${ANYTHING}`],
      reason: 'Node 24 tells the source of every number',
    },
  ],
  'lib/webhooks/operators/cursor.ts': [
    {
      changes: [`'' → ${ANYTHING}`, '{ return undefined } → {}'],
      reason: 'neither is JSON; a function that ends returns undefined',
    },
    {
      changes: [
        "createHash('sha256').update(filter).digest('base64url').slice(0, 16) → createHash('sha256').update(filter).digest('base64url')",
      ],
      reason: 'a longer digest tells filters apart as well',
    },
  ],
  'lib/webhooks/operators/list.ts': [
    {
      changes: ['one.id > other.id → one.id >= other.id', 'one < other → one <= other'],
      reason: 'equal ones were told apart before',
    },
  ],
  'lib/webhooks/operators/replay-hint.ts': [
    { changes: ['{ return undefined } → {}'], reason: 'a function that ends returns undefined' },
  ],
  'lib/webhooks/operators/replay-steps.ts': [
    {
      changes: ['start < batch.length → start <= batch.length'],
      reason: 'a group of nobody starts nothing and waits for nothing',
    },
    { changes: ['false → true'], reason: 'a replay that is done is not passed on' },
    {
      changes: [
        "status === 'FAILED' && replayId === mine → true",
        "status === 'FAILED' && replayId === mine → status === 'FAILED' || replayId === mine",
        "status === 'FAILED' → true",
        'replayId === mine → true',
      ],
      reason:
        'the second lock: a failed event that could not be reset is of this replay, and no other has such numbers',
    },
    {
      changes: [
        '{ return { state, matched, done, failed, batch, position, isListed } } → {}',
        '{ state, matched, done, failed, batch, position, isListed } → {}',
      ],
      reason: 'what is not written stays as it is, and the rest of the progress is what it was',
    },
  ],
  'lib/webhooks/operators/replay.ts': [
    {
      changes: ['filter.to > acceptedAt → filter.to >= acceptedAt'],
      reason: 'of two equal times either is taken',
    },
  ],
  'lib/webhooks/providers/adyen.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/docusign.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/hubspot.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/linear.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/mailgun.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/paypal.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/plaid.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/jws.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: NO_PROOF },
    {
      changes: [
        "typeof parsed === 'object' && parsed !== null → true",
        "typeof parsed === 'object' && parsed !== null → typeof parsed === 'object' || parsed !== null",
        "typeof parsed === 'object' → true",
        'parsed !== null → true',
      ],
      reason: 'what is no object has no claims in it',
    },
  ],
  'lib/webhooks/providers/square.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/providers/stripe.ts': [
    { changes: ['intent === undefined → false'], reason: 'without an intent there are no units either' },
  ],
  'lib/webhooks/providers/twilio.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: NO_PROOF },
    {
      changes: [
        'sorted[index]?.name → sorted[index].name',
        'sorted[index - 1]?.name → sorted[index - 1].name',
        'sorted[index]?.value → sorted[index].value',
        'sorted[index - 1]?.value → sorted[index - 1].value',
        'index === 0 → false',
      ],
      reason: 'every field but the first stands behind another one, and the first repeats nothing',
    },
  ],
  'lib/webhooks/rate/lease.ts': [
    { changes: ['!seen → false'], reason: 'the empty tally of a stranger leaves it to the counter as well' },
    { changes: ['caller.strip → true'], reason: 'whoever need not wait has a strip' },
  ],
  'lib/webhooks/retry/worker.ts': [
    {
      changes: [
        'event?.nextRetryAt?.getTime → event?.nextRetryAt.getTime',
        'event?.nextRetryAt → event.nextRetryAt',
        'event?.status → event.status',
      ],
      reason: 'only an event that is there, and due at some time, is postponed or given up',
    },
    {
      changes: ['\'drop\' → ""', "step === 'drop' → false"],
      reason: 'what is neither postponed nor given up at once finds no row to give up',
    },
  ],
  'lib/webhooks/schemes/body-mac.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/encoding.ts': [
    {
      changes: [
        '/^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?Z$/ → /^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?Z/',
      ],
      reason: 'what more stands behind a time makes it none for Date.parse as well',
    },
  ],
  'lib/webhooks/schemes/generic.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/inside-body.ts': [
    { changes: [`'' → ${ANYTHING}`], reason: NO_PROOF },
    {
      changes: [
        '{ if (error instanceof ServiceError) return undefined throw error } → {}',
        'error instanceof ServiceError → true',
      ],
      reason: 'the parser throws nothing else; a bug of ours is not to look like a bad body',
    },
  ],
  'lib/webhooks/schemes/methods.ts': [
    {
      changes: [`'' → ${ANYTHING}`, "jwk.kid ?? '' → jwk.kid && ''"],
      reason: 'only PayPal signs the name of a key, and its keys have one',
    },
    {
      changes: ['\'binary\' → ""', "typeof part === 'string' → true"],
      reason: 'the same bytes, copied once more or once less',
    },
    { changes: ['/^([^:\\s]+):(.+)$/s → /^([^:\\s]+):(.+)/s'], reason: 'the expression goes to the end of every text' },
    {
      changes: [
        `[] → ${ANY_LIST}`,
        'pem === undefined → false',
        'material?.asymmetricKeyType → material.asymmetricKeyType',
        'key?.material.asymmetricKeyDetails?.namedCurve → key?.material.asymmetricKeyDetails.namedCurve',
        'key?.material → key.material',
        '{ return undefined } → {}',
      ],
      reason: 'what throws in reading a key is no key either; a function that ends returns undefined',
    },
  ],
  'lib/webhooks/schemes/standard.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/time-and-body.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/timestamped.ts': [{ changes: [`'' → ${ANYTHING}`, `[] → ${ANY_LIST}`], reason: NO_PROOF }],
  'lib/webhooks/schemes/token.ts': [
    {
      changes: ['[TOKEN] → []', '() => [] → () => undefined', `[] → ${ANY_LIST}`],
      reason: 'a token is compared by the method that read it, and nothing is signed',
    },
  ],
  'lib/webhooks/schemes/versioned.ts': [{ changes: [`'' → ${ANYTHING}`], reason: NO_PROOF }],
  'lib/webhooks/sources/order-status.ts': [
    { changes: ['timestamp === undefined → false'], reason: 'no time is no date-time, and compares as none' },
  ],
  'lib/webhooks/retry/decision.ts': [
    { changes: ['leaseUntil !== undefined → true'], reason: 'no lease ends before now either' },
  ],
  'lib/webhooks/verify.ts': [
    {
      changes: ['time === undefined → false'],
      reason: 'an age that is no number is neither too old nor in the future',
    },
  ],
  'lib/webhooks/live/backlog.ts': [
    { changes: ['{ once: true } → {}', 'true → false'], reason: 'a signal aborts once' },
  ],
  'lib/webhooks/live/feed.ts': [
    {
      changes: [
        'heard.delete(name) → ;',
        '[...old, ...surplus] → []',
        '([, { position }]) => position <= limit → () => undefined',
        'position <= limit → false',
        'position <= limit → position < limit',
      ],
      reason: 'nobody is told of what is forgotten, be it there or not; it is not to be in memory',
    },
    {
      changes: [
        'listeners.size === 0 → false',
        'position > settled → position >= settled',
        'position > forgotten → position >= forgotten',
      ],
      reason: 'the same, at a greater cost or once more',
    },
    { changes: ['one < other → one <= other'], reason: 'either order of changes at one position is right' },
  ],
  'lib/webhooks/live/cursor.ts': [
    {
      changes: [
        'position > last → position >= last',
        'position <= this.#settled → position < this.#settled',
        'one < other → one <= other',
      ],
      reason: 'of two equal positions either is taken',
    },
  ],
  'lib/webhooks/live/watch.ts': [
    {
      changes: ['notice === undefined → true'],
      reason: 'nobody waits for silence where something waits, and a loop more finds nothing else',
    },
    {
      changes: [
        'feed.after(told.settled)?.filter((change) => !told.isTold(change)) → feed.after(told.settled)',
        'missed.length > MAXIMUM_MISSED → missed.length >= MAXIMUM_MISSED',
        'feed.settled < last → feed.settled <= last',
      ],
      reason: 'what was told is left out again behind it; the present begins a moment sooner or later',
    },
    {
      changes: ['position <= feed.settled → position < feed.settled'],
      reason: 'what came to light late is found by the next round: no more is settled than was read',
    },
  ],
}

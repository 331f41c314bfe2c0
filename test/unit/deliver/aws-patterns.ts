/** What AWS says of a pattern and an event: whether they match, or that the pattern is invalid. */
export type Verdict = boolean | 'refused'

/** Where AWS says it, the pattern, the event as text, and the verdict. */
export type Row = readonly [source: string, pattern: object, event: string, verdict: Verdict]

const EC2 = `{ "version": "0", "detail-type": "EC2 Instance State-change Notification", "source": "aws.ec2",
  "account": "012345679012", "time": "2017-10-02T16:24:49Z", "region": "us-east-1",
  "resources": ["arn:aws:ec2:us-east-1:123456789012:instance/i-000000aaaaaa00000"],
  "detail": { "c-count": 5, "d-count": 3, "x-limit": 301.8, "source-ip": "10.0.0.33",
    "instance-id": "i-000000aaaaaa00000", "state": "running" } }`

const LAUNCH = `{ "detail-type": "EC2 Instance Launch Successful", "source": "aws.autoscaling", "resources": [],
  "detail": { "eventVersion": "", "responseElements": null } }`

const MACIE = `{ "source": "aws.macie", "detail-type": "Macie Alert", "detail": { "notification-type": "ALERT_CREATED",
  "tags": ["Custom_Alert", "Insider"], "risk-score": 80, "trigger": { "risk": 8 } } }`

const STAFF = `{ "employees": [{ "firstName": "John", "lastName": "Doe" }, { "firstName": "Anna", "lastName": "Smith" },
  { "firstName": "Peter", "lastName": "Jones" }] }`

const NESTED_STAFF = `{ "employees": [[{ "firstName": "John", "lastName": "Doe" }, { "firstName": "Anna", "lastName": "Smith" }],
  [{ "firstName": "Peter", "lastName": "Jones" }]] }`

const METRIC = '{ "source": "aws.cloudwatch", "metricName": "ReadLatency", "namespace": "AWS/RDS", "scope": "Node" }'

const detail = (name: string, value: unknown) => ({ detail: { [name]: value } })
const inDetail = (name: string, value: string) => `{ "detail": { "${name}": ${value} } }`
const a = (...wanted: readonly unknown[]) => ({ a: wanted })

const GUIDE = 'EventBridge user guide, '
const OPERATORS = `${GUIDE}comparison operators: `
const README = 'event-ruler README, '
const RULER = 'event-ruler 2.0.1, '

/** Of the documents of AWS; the last ones of what its rule engine answered (github.com/aws/event-ruler, commit 337e8d9). */
export const AWS_ROWS: readonly Row[] = [
  [
    `${GUIDE}event patterns`,
    { source: ['aws.ec2'], 'detail-type': ['EC2 Instance State-change Notification'] },
    EC2,
    true,
  ],
  [`${GUIDE}event patterns`, { source: ['aws.ec2'], detail: { state: ['terminated'] } }, EC2, false],
  [`${GUIDE}match values`, { source: ['aws.ec2', 'aws.fargate'] }, EC2, true],
  [`${GUIDE}match values`, { source: ['aws.ec2', 'aws.fargate'] }, MACIE, false],
  [`${GUIDE}field matching`, { source: ['aws.autoscaling'], detail: { responseElements: [null] } }, LAUNCH, true],
  [
    `${GUIDE}value matching`,
    { source: ['aws.macie'], detail: { 'risk-score': [80], trigger: { risk: [8] } } },
    MACIE,
    true,
  ],
  [
    `${GUIDE}value matching`,
    { source: ['aws.macie'], detail: { 'risk-score': [80], trigger: { risk: [9] } } },
    MACIE,
    false,
  ],
  [`${GUIDE}null values`, detail('eventVersion', ['']), LAUNCH, true],
  [`${GUIDE}null values`, detail('responseElements', ['']), LAUNCH, false],
  [`${GUIDE}null values`, detail('eventVersion', [null]), LAUNCH, false],
  [`${GUIDE}arrays`, { resources: ['arn:1', 'arn:2', 'arn:3'] }, '{ "resources": ["arn:autoscaling", "arn:1"] }', true],
  [`${GUIDE}arrays`, { resources: ['arn:1', 'arn:2'] }, '{ "resources": ["arn:autoscaling", "arn:3"] }', false],
  [`${GUIDE}arrays`, detail('tags', ['Insider']), MACIE, true],
  [`${OPERATORS}and`, { Location: ['New York'], Day: ['Monday'] }, '{ "Location": "New York", "Day": "Monday" }', true],
  [
    `${OPERATORS}and`,
    { Location: ['New York'], Day: ['Monday'] },
    '{ "Location": "New York", "Day": "Friday" }',
    false,
  ],
  [`${OPERATORS}anything-but`, { state: [{ 'anything-but': 'initializing' }] }, '{ "state": "running" }', true],
  [`${OPERATORS}anything-but`, { state: [{ 'anything-but': 'initializing' }] }, '{ "state": "initializing" }', false],
  [`${OPERATORS}anything-but`, { state: [{ 'anything-but': 'initializing' }] }, '{}', false],
  [
    `${OPERATORS}anything-but prefix`,
    { Region: [{ 'anything-but': { prefix: 'us-' } }] },
    '{ "Region": "eu-west-1" }',
    true,
  ],
  [
    `${OPERATORS}anything-but prefix`,
    { Region: [{ 'anything-but': { prefix: 'us-' } }] },
    '{ "Region": "us-east-1" }',
    false,
  ],
  [
    `${OPERATORS}anything-but suffix`,
    { FileName: [{ 'anything-but': { suffix: '.png' } }] },
    '{ "FileName": "a.jpg" }',
    true,
  ],
  [
    `${OPERATORS}anything-but suffix`,
    { FileName: [{ 'anything-but': { suffix: ['.png', '.jpg'] } }] },
    '{ "FileName": "a.jpg" }',
    false,
  ],
  [
    `${OPERATORS}anything-but ignore case`,
    { state: [{ 'anything-but': { 'equals-ignore-case': 'initializing' } }] },
    '{ "state": "INITIALIZING" }',
    false,
  ],
  [
    `${OPERATORS}anything-but ignore case`,
    { state: [{ 'anything-but': { 'equals-ignore-case': ['initializing', 'stopped'] } }] },
    '{ "state": "running" }',
    true,
  ],
  [
    `${OPERATORS}anything-but wildcard`,
    { FilePath: [{ 'anything-but': { wildcard: '*/lib/*' } }] },
    '{ "FilePath": "/usr/lib/a.so" }',
    false,
  ],
  [
    `${OPERATORS}anything-but wildcard`,
    { FilePath: [{ 'anything-but': { wildcard: ['*/lib/*', '*/bin/*'] } }] },
    '{ "FilePath": "/usr/share/a" }',
    true,
  ],
  [`${OPERATORS}begins with`, { Region: [{ prefix: 'us-' }] }, '{ "Region": "us-east-1" }', true],
  [`${OPERATORS}begins with`, { Region: [{ prefix: 'us-' }] }, '{ "Region": "aus-1" }', false],
  [
    `${OPERATORS}begins with, ignore case`,
    { service: [{ prefix: { 'equals-ignore-case': 'eventb' } }] },
    '{ "service": "EventBridge" }',
    true,
  ],
  [`${OPERATORS}empty`, { LastName: [''] }, '{ "LastName": "" }', true],
  [`${OPERATORS}equals, ignore case`, { Name: [{ 'equals-ignore-case': 'alice' }] }, '{ "Name": "ALICE" }', true],
  [`${OPERATORS}equals, ignore case`, { Name: [{ 'equals-ignore-case': 'alice' }] }, '{ "Name": "alic" }', false],
  [`${OPERATORS}ends with`, { FileName: [{ suffix: '.png' }] }, '{ "FileName": "a.png" }', true],
  [`${OPERATORS}ends with`, { FileName: [{ suffix: '.png' }] }, '{ "FileName": "a.PNG" }', false],
  [
    `${OPERATORS}ends with, ignore case`,
    { service: [{ suffix: { 'equals-ignore-case': 'tBridge' } }] },
    '{ "service": "EVENTBRIDGE" }',
    true,
  ],
  [`${OPERATORS}exists`, { ProductName: [{ exists: true }] }, '{ "ProductName": null }', true],
  [`${OPERATORS}exists`, { ProductName: [{ exists: false }] }, '{ "ProductName": null }', false],
  [`${OPERATORS}does not exist`, { ProductName: [{ exists: false }] }, '{}', true],
  [`${OPERATORS}not`, { Weather: [{ 'anything-but': ['Raining'] }] }, '{ "Weather": "Sunny" }', true],
  [`${OPERATORS}null`, { UserID: [null] }, '{ "UserID": null }', true],
  [`${OPERATORS}numeric`, { Price: [{ numeric: ['=', 100] }] }, '{ "Price": 100 }', true],
  [`${OPERATORS}numeric`, { Price: [{ numeric: ['=', 100] }] }, '{ "Price": "100" }', false],
  [`${OPERATORS}numeric range`, { Price: [{ numeric: ['>', 10, '<=', 20] }] }, '{ "Price": 20 }', true],
  [`${OPERATORS}numeric range`, { Price: [{ numeric: ['>', 10, '<=', 20] }] }, '{ "Price": 10 }', false],
  [`${OPERATORS}or`, { PaymentType: ['Credit', 'Debit'] }, '{ "PaymentType": "Debit" }', true],
  [
    `${OPERATORS}or of fields`,
    { $or: [{ Location: ['New York'] }, { Day: ['Monday'] }] },
    '{ "Location": "Rome", "Day": "Monday" }',
    true,
  ],
  [
    `${OPERATORS}or of fields`,
    { $or: [{ Location: ['New York'] }, { Day: ['Monday'] }] },
    '{ "Location": "Rome", "Day": "Friday" }',
    false,
  ],
  [`${OPERATORS}wildcard`, { FileName: [{ wildcard: 'dir/*.png' }] }, '{ "FileName": "dir/sub/a.png" }', true],
  [`${OPERATORS}wildcard`, { FileName: [{ wildcard: 'dir/*.png' }] }, '{ "FileName": "dir/a.jpg" }', false],
  [
    `${GUIDE}exists matching`,
    detail('c-count', [{ exists: false }]),
    '{ "detail": { "state": ["initializing", "running"] } }',
    true,
  ],
  [
    `${GUIDE}exists matching`,
    detail('c-count', [{ exists: false }]),
    '{ "detail": { "c-count": { "c1": 100 } } }',
    true,
  ],
  [
    `${GUIDE}complex example`,
    {
      time: [{ prefix: '2017-10-02' }],
      detail: {
        state: [{ 'anything-but': 'initializing' }],
        'c-count': [{ numeric: ['>', 0, '<=', 5] }],
        'd-count': [{ numeric: ['<', 10] }],
        'x-limit': [{ 'anything-but': [100, 200, 300] }],
      },
    },
    EC2,
    true,
  ],
  [`${README}numeric matching`, detail('x-limit', [{ numeric: ['=', 3.018e2] }]), EC2, true],
  [`${README}simple matching`, detail('state', ['initializing', 'running']), EC2, true],
  [`${README}prefix`, { time: [{ prefix: '2017-10-03' }] }, EC2, false],
  [`${README}suffix`, { source: [{ suffix: 'ec2' }] }, EC2, true],
  [`${README}wildcard`, { source: [{ wildcard: 'Simple*Service' }] }, '{ "source": "Simple Queue Service" }', true],
  [
    `${README}anything-but numbers`,
    detail('x-limit', [{ 'anything-but': [100, 200, 300] }]),
    inDetail('x-limit', '2e2'),
    false,
  ],
  [`${README}JSON text matching`, { xyz: ['true'] }, '{ "xyz": true }', false],
  [`${README}JSON arrays`, { employees: { firstName: ['Anna'] } }, STAFF, true],
  [`${README}JSON arrays`, { employees: { firstName: ['Anna'], lastName: ['Jones'] } }, STAFF, false],
  [`${README}JSON arrays`, { employees: { firstName: ['Anna'], lastName: ['Smith'] } }, NESTED_STAFF, true],
  [`${README}JSON arrays`, { employees: { firstName: ['Anna'], lastName: ['Jones'] } }, NESTED_STAFF, false],
  [
    `${README}$or`,
    { source: ['aws.cloudwatch'], $or: [{ metricName: ['ReadLatency'] }, { namespace: ['AWS/ES'] }] },
    METRIC,
    true,
  ],
  [
    `${README}$or`,
    { source: ['aws.ec2'], $or: [{ metricName: ['ReadLatency'] }, { namespace: ['AWS/ES'] }] },
    METRIC,
    false,
  ],
  [
    `${README}nested $or`,
    { $or: [{ metricName: ['CPU'] }, { scope: ['Node'], $or: [{ id: [1] }, { namespace: ['AWS/RDS'] }] }] },
    METRIC,
    true,
  ],
  [
    `${README}nested $or`,
    { $or: [{ metricName: ['CPU'] }, { scope: ['Node'], $or: [{ id: [1] }, { namespace: ['AWS/ES'] }] }] },
    METRIC,
    false,
  ],
  [`${README}$or needs two objects`, { $or: [{ a: [1] }] }, '{}', 'refused'],
  [`${README}$or reserves names`, { $or: [{ numeric: [123] }, { prefix: ['abc'] }] }, '{}', 'refused'],
  [`${README}wildcard: no two in a row`, a({ wildcard: 'a**b' }), '{}', 'refused'],
  [`${README}wildcard: escapes`, a({ wildcard: 'a\\b' }), '{}', 'refused'],
  [`${README}wildcard: escapes`, a({ wildcard: '\\*\\\\*' }), '{ "a": "*\\\\ and more" }', true],
  [`${README}anything-but: one kind`, a({ 'anything-but': ['stopped', 5] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, {}, '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a(), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a([]), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({}), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, { a: {} }, '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, { a: 'x' }, '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ prefix: 'a', suffix: 'b' }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ regex: 'a' }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ prefix: ['a'] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ prefix: { suffix: 'a' } }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ exists: 'true' }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ 'equals-ignore-case': 5 }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ 'anything-but': { numeric: ['>', 5] } }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ 'anything-but': { prefix: '' } }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ 'anything-but': [null] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ 'anything-but': { 'anything-but': 'a' } }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ numeric: ['>', '5'] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ numeric: ['!=', 5] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ numeric: ['>', 5, '<'] }), '{}', 'refused'],
  [`${RULER}JsonRuleCompiler`, a({ numeric: ['<', 5, '>', 1] }), '{}', 'refused'],
  [`${RULER}Range`, a({ numeric: ['>=', 5, '<=', 5] }), '{}', 'refused'],
  [`${RULER}ComparableNumber`, a(300), '{ "a": 3.000e2 }', true],
  [`${RULER}ComparableNumber`, a({ numeric: ['>', 1e18] }), '{ "a": 12345678901234567890 }', false],
  [`${RULER}ComparableNumber`, a(0.1), '{ "a": 0.10000000000000000001 }', false],
  [`${RULER}ComparableNumber`, a({ numeric: ['<', 1] }), '{ "a": 1e-400 }', false],
  [`${RULER}anything-but of other kinds`, a({ 'anything-but': { prefix: 'x' } }), '{ "a": 5 }', true],
  [`${RULER}anything-but in a list`, a({ 'anything-but': 'x' }), '{ "a": ["x", "y"] }', true],
  [`${RULER}EqualsIgnoreCaseParser`, a({ 'equals-ignore-case': 'Straße' }), '{ "a": "STRASSE" }', true],
  [`${RULER}EqualsIgnoreCaseParser`, a({ 'equals-ignore-case': 'SS' }), '{ "a": "ß" }', false],
  [`${RULER}Event`, a({ exists: true }), '{ "a": [] }', false],
  [`${RULER}Event`, a({ exists: false }), '{ "a": [[]] }', true],
  [`${RULER}absence in every element`, { a: { b: [{ exists: false }] } }, '{ "a": [{ "c": 1 }, { "b": 2 }] }', false],
  [
    `${RULER}absence in every element`,
    { a: { c: [2], b: [{ exists: false }] } },
    '{ "a": [{ "c": 2 }, { "b": 2 }] }',
    false,
  ],
  [
    `${RULER}absence behind a value`,
    { a: { a: [2], b: [{ exists: false }] } },
    '{ "a": [{ "a": 2 }, { "b": 2 }] }',
    true,
  ],
  [
    `${RULER}absence or a value`,
    { a: { b: ['x', { exists: false }], c: [1] } },
    '{ "a": [{ "b": "x" }, { "c": 1 }] }',
    false,
  ],
]

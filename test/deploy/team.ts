/** The longest name of a destination. */
const named = (index: number) => `the-longest-name-at-all${String.fromCharCode(97 + index)}`

export const NETWORKS = ['0', '1'].map((digit) => ({
  subnetIds: [`subnet-${digit.repeat(17)}`, `subnet-${digit.repeat(8)}`],
  securityGroupIds: [`sg-${digit.repeat(17)}`],
}))

/** By the index of a destination; the order of subnets means nothing. */
const networks = [NETWORKS[0], NETWORKS[1], { ...NETWORKS[0], subnetIds: NETWORKS[0]?.subnetIds.toReversed() }]

/** As many destinations as there may be, with the handlers; three of them in two networks. */
export const DESTINATIONS = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [
    named(index),
    { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] }, network: networks[index] } as const,
  ]),
)

/** In the order of the files. */
export const HANDLERS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `payment/${name}`, on: ['PAYMENT'] }))

export const SETTINGS = {
  'payment/a': {
    network: NETWORKS[0],
    rights: [{ actions: ['dynamodb:PutItem'], resources: [{ team: 'TeamOrders' }] }],
  },
}

/** The team's own. */
export const RESOURCES = {
  TeamOrders: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    },
  },
  TeamWork: { Type: 'AWS::SQS::Queue' },
}

/** What everything of the team is called. */
export const NAME = 'shop'

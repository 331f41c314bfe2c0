import { describe, expect, it } from 'vitest'
import { wrongParameters } from '../../../infra/parameters.ts'

const DEFAULTS = {
  retryScanMinutes: 5,
  edgeEnabled: 'false',
  adapterEnabled: 'false',
  adapterImage: '',
  adapterCertificateArn: '',
  adapterVpcId: '',
  adapterPublicSubnetIds: '',
  adapterPrivateSubnetIds: '',
}

const ADAPTER = {
  adapterEnabled: 'true',
  adapterImage: 'repository@sha256:0',
  adapterCertificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/1',
  adapterVpcId: 'vpc-1',
  adapterPublicSubnetIds: 'subnet-1,subnet-2',
  adapterPrivateSubnetIds: 'subnet-3',
}

const wrong = (changes: object) => wrongParameters({ service: { custom: { parameters: { ...DEFAULTS, ...changes } } } })

describe('the parameters of a deployment', () => {
  it.each([{}, { retryScanMinutes: 1 }, { retryScanMinutes: '60' }, { edgeEnabled: true }, ADAPTER])(
    'may be %j',
    (changes) => {
      expect(wrong(changes)).toEqual([])
    },
  )

  it.each([0, '0', -1, '-5', 1.5, '1.5', '', 'five', '05', '1e3', ' 1'])('may not scan every %j minutes', (minutes) => {
    expect(wrong({ retryScanMinutes: minutes })).toEqual([
      'retryScanMinutes: must be a whole number of minutes, 1 or more',
    ])
  })

  it('name all that a container lacks', () => {
    expect(wrong({ adapterEnabled: 'true' })).toEqual([
      'adapterImage: must be set with adapterEnabled=true',
      'adapterCertificateArn: must be set with adapterEnabled=true',
      'adapterVpcId: must be set with adapterEnabled=true',
      'adapterPublicSubnetIds: must be set with adapterEnabled=true',
      'adapterPrivateSubnetIds: must be set with adapterEnabled=true',
    ])
  })

  it.each([',', ' , ', null])('take a list of nothing for none: %j', (adapterPrivateSubnetIds) => {
    expect(wrong({ ...ADAPTER, adapterPrivateSubnetIds })).toEqual([
      'adapterPrivateSubnetIds: must be set with adapterEnabled=true',
    ])
  })

  it('have a load balancer stand in two subnets', () => {
    expect(wrong({ ...ADAPTER, adapterPublicSubnetIds: 'subnet-1, ' })).toEqual([
      'adapterPublicSubnetIds: a load balancer needs two subnets at least',
    ])
  })

  it.each(['True', 'yes', '1', ''])('are told when %j means neither true nor false', (word) => {
    expect(wrong({ edgeEnabled: word, adapterEnabled: word })).toEqual([
      'edgeEnabled: must be true or false',
      'adapterEnabled: must be true or false',
    ])
  })
})

import { expect, test } from 'vitest'
import { diskFull, diskFullOr } from './media-file-error.ts'

test.each(['ENOSPC', 'EDQUOT'])('%s is a full disk', (code) => {
  expect(diskFullOr(Object.assign(new Error('write failed'), { code }))).toEqual(diskFull())
})

test.each([Object.assign(new Error('gone'), { code: 'ENOENT' }), new Error('other'), 'a text'])(
  'any other error stays what it is: %s',
  (error) => {
    expect(diskFullOr(error)).toBe(error)
  },
)

import { describe, expect, test } from 'vitest'
import { boxBlur, type Pixels } from './box-blur.ts'

/** A grey picture with one digit for each pixel. */
function picture(rows: readonly string[]): Pixels {
  const greys = rows.join('').split('').map(Number)
  return {
    data: Uint8ClampedArray.from(greys.flatMap((grey) => [grey * 20, grey * 20, grey * 20, 255])),
    width: rows[0]?.length ?? 0,
    height: rows.length,
  }
}

const redOf = ({ data }: Pixels) => [...data].filter((_, at) => at % 4 === 0)
const steepest = (values: readonly number[]) =>
  Math.max(...values.slice(1).map((value, at) => Math.abs(value - (values[at] ?? 0))))

describe('a blurred picture', () => {
  test('of one colour stays as it is, up to its edges', () => {
    const plain = picture(['777', '777', '777'])
    boxBlur(plain, 2)
    expect(redOf(plain)).toEqual(Array.from({ length: 9 }, () => 140))
  })

  test('has no edges left, in rows or in columns', () => {
    const across = picture(['0000000099999999'])
    const down = picture('0000000099999999'.split(''))
    boxBlur(across, 3)
    boxBlur(down, 3)
    expect(redOf(down)).toEqual(redOf(across))
    expect(steepest(redOf(across))).toBeLessThan(30)
  })

  test('stays opaque', () => {
    const image = picture(['0909', '9090'])
    boxBlur(image, 1)
    expect([...image.data].filter((_, at) => at % 4 === 3)).toEqual(
      Array.from({ length: 8 }, () => 255),
    )
  })
})

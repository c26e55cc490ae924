/**
 * A number in [0, 1) that is a pure function of its key: 53 bits of a 64-bit mixing hash (two rounds of 32-bit
 * multiplication, after cyrb53). Equal keys give equal draws, whenever and however often they are drawn.
 */
export function draw(...key: readonly (string | number)[]): number {
  const text = JSON.stringify(key)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = mixed(high, low)
  low = mixed(low, high)
  high = mixed(high, low)
  return ((high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0)) / 0x20_0000_0000_0000
}

function mixed(a: number, b: number): number {
  return Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
}

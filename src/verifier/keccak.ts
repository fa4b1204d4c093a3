/** Keccak-256, the hash that Ethereum uses. Written for readers: this code is part of the verifier that users keep. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const lanes = Array.from({ length: 25 }, () => 0n)
  const padded = pad(bytes)
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) {
    for (let lane = 0; lane < BLOCK_BYTES / 8; lane++)
      lanes[lane] = laneAt(lanes, lane) ^ readLane(padded, block + lane * 8)
    permute(lanes)
  }
  return Uint8Array.from({ length: 32 }, (_, at) => Number((laneAt(lanes, at >> 3) >> BigInt(8 * (at & 7))) & 0xffn))
}

const BLOCK_BYTES = 136
const LANE = (1n << 64n) - 1n
const ROUNDS = roundConstants()
const laneAt = (lanes: bigint[], index: number): bigint => lanes[index] ?? 0n
const rotate = (lane: bigint, by: number): bigint => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & LANE

/** A one bit, zeros, and a one bit at the end of the last block. */
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / BLOCK_BYTES) + 1) * BLOCK_BYTES)
  padded.set(bytes)
  padded[bytes.length] = 0x01
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80
  return padded
}

/** Eight bytes, least significant first. */
function readLane(bytes: Uint8Array, from: number): bigint {
  let lane = 0n
  for (let at = 7; at >= 0; at--) lane = (lane << 8n) | BigInt(bytes[from + at] ?? 0)
  return lane
}

function permute(lanes: bigint[]): void {
  for (const constant of ROUNDS) {
    mixColumns(lanes)
    moveLanes(lanes)
    mixRows(lanes)
    lanes[0] = laneAt(lanes, 0) ^ constant
  }
}

function mixColumns(lanes: bigint[]): void {
  const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((all, y) => all ^ laneAt(lanes, x + y), 0n))
  for (let at = 0; at < 25; at++)
    lanes[at] = laneAt(lanes, at) ^ laneAt(columns, (at + 4) % 5) ^ rotate(laneAt(columns, (at + 1) % 5), 1)
}

function moveLanes(lanes: bigint[]): void {
  let [x, y, moving] = [1, 0, laneAt(lanes, 1)]
  for (let step = 1; step <= 24; step++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    const next = laneAt(lanes, x + 5 * y)
    lanes[x + 5 * y] = rotate(moving, ((step * (step + 1)) / 2) % 64)
    moving = next
  }
}

function mixRows(lanes: bigint[]): void {
  for (let row = 0; row < 25; row += 5) {
    const before = lanes.slice(row, row + 5)
    for (let x = 0; x < 5; x++)
      lanes[row + x] = laneAt(before, x) ^ (~laneAt(before, (x + 1) % 5) & LANE & laneAt(before, (x + 2) % 5))
  }
}

function roundConstants(): bigint[] {
  let register = 1
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let power = 0; power < 7; power++) {
      if (register & 1) constant |= 1n << BigInt(2 ** power - 1)
      register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1
    }
    return constant
  })
}

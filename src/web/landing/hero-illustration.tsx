/** A runner leaping out of three rings, leaves at their feet. Drawn for this page; colours are fixed in both themes. */
export function HeroIllustration() {
  return (
    <>
      <svg
        viewBox="0 0 640 640"
        className="size-full animate-fade overflow-visible"
        role="img"
        aria-label="A runner leaping out of three rings"
      >
        <Rings />
        <Leaves />
        <Runner />
      </svg>
      <PlayCoin />
    </>
  )
}

function Rings() {
  const rings = [
    { radius: 262, share: 0.86, stroke: 'var(--leaf)', width: 38, delayMs: 0 },
    { radius: 212, share: 0.52, stroke: 'var(--coral)', width: 36, delayMs: 140 },
    { radius: 164, share: 0.36, stroke: 'var(--sky)', width: 34, delayMs: 280 },
  ]
  return (
    <g fill="none" transform="rotate(-90 320 320)">
      <circle cx="320" cy="320" r="132" fill="var(--lime)" opacity=".85" />
      {rings.map(({ radius, share, stroke, width, delayMs }) => (
        <g key={radius} strokeWidth={width}>
          <circle cx="320" cy="320" r={radius} stroke="var(--track)" />
          <circle
            cx="320"
            cy="320"
            r={radius}
            stroke={stroke}
            strokeLinecap="round"
            pathLength={1}
            strokeDasharray={1}
            strokeDashoffset={1 - share}
            className="animate-ring [animation-duration:1.4s]"
            style={{ animationDelay: `${delayMs}ms` }}
          />
        </g>
      ))}
    </g>
  )
}

const HAIR = '#33204f'
const SKIN = '#8a5337'
const SKIN_SHADE = '#74432b'
const SHIRT = '#fff7e8'
const LEGS = '#4a31c4'
const LEGS_SHADE = '#3a25a3'

/** Limbs are thick lines with round ends. The far ones are drawn first, so the near ones cover them. */
function Runner() {
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      <path d="M344 250C316 264 288 269 262 271C250 291 240 309 228 331" stroke={SKIN_SHADE} strokeWidth="28" />
      <path d="M344 250C330 258 316 262 304 264" stroke="#ece0c9" strokeWidth="40" />
      <path d="M314 362C294 396 279 424 268 452C240 459 216 467 196 477" stroke={LEGS_SHADE} strokeWidth="44" />
      <path d="M190 480L164 491" stroke={SKIN_SHADE} strokeWidth="27" />
      <path d="M150 500L126 462" stroke="#ff6b4a" strokeWidth="29" />
      <path d="M137 508L107 461" stroke="#fff" strokeWidth="7" />
      <path d="M358 238C346 276 336 308 328 338" stroke={SHIRT} strokeWidth="72" />
      <path d="M330 346L324 364" stroke={LEGS} strokeWidth="62" />
      <path d="M326 368C364 379 398 389 436 398C435 426 431 450 425 474" stroke={LEGS} strokeWidth="47" />
      <path d="M340 366C372 376 400 384 424 390" stroke="#c8f169" strokeWidth="6" />
      <path d="M424 480L420 502" stroke={SKIN} strokeWidth="28" />
      <path d="M418 512L458 515" stroke="#ff6b4a" strokeWidth="29" />
      <path d="M403 530H472" stroke="#fff" strokeWidth="7" />
      <path d="M368 214L362 232" stroke={SKIN_SHADE} strokeWidth="32" />
      <Head />
      <path d="M370 250C390 274 406 294 422 312C446 300 468 282 490 258" stroke={SKIN} strokeWidth="29" />
      <path d="M366 246C378 262 388 276 398 286" stroke={SHIRT} strokeWidth="43" />
    </g>
  )
}

function Head() {
  return (
    <g>
      <path d="M352 168C326 150 300 152 276 172C296 170 306 178 318 190C328 196 340 196 350 192Z" fill={HAIR} />
      <circle cx="384" cy="180" r="43" fill={SKIN} />
      <path
        d="M345 194C334 158 356 130 390 132C412 133 426 146 430 160C406 154 392 160 378 172C370 180 362 190 345 194Z"
        fill={HAIR}
      />
      <path d="M340 178C360 166 392 150 428 156" stroke="#ff6b4a" strokeWidth="11" />
      <path d="M402 202C408 205 414 204 419 199" stroke="#10231c" strokeWidth="5" />
      <circle cx="410" cy="182" r="4.500" fill="#10231c" />
    </g>
  )
}

function Leaves() {
  const leaves = [
    { x: 96, y: 596, turn: -34, size: 1.5, fill: '#1f9d6b' },
    { x: 128, y: 606, turn: 4, size: 1.15, fill: '#43c78e' },
    { x: 66, y: 604, turn: -70, size: 1, fill: '#c8f169' },
    { x: 548, y: 604, turn: 24, size: 1.35, fill: '#1f9d6b' },
    { x: 520, y: 608, turn: -14, size: 0.95, fill: '#c8f169' },
    { x: 582, y: 608, turn: 62, size: 0.95, fill: '#43c78e' },
  ]
  return (
    <g>
      <ellipse cx="320" cy="606" rx="270" ry="20" fill="var(--ink)" opacity=".07" />
      {leaves.map(({ x, y, turn, size, fill }) => (
        <g key={x} transform={`translate(${x} ${y}) rotate(${turn}) scale(${size})`}>
          <path d="M0 0C-34 -22 -34 -72 0 -104C34 -72 34 -22 0 0Z" fill={fill} />
          <path
            d="M0 0V-82M0 -28L15 -46M0 -28L-15 -46M0 -52L12 -67M0 -52L-12 -67"
            fill="none"
            stroke="#10231c"
            strokeOpacity=".28"
            strokeWidth="3"
            strokeLinecap="round"
          />
        </g>
      ))}
    </g>
  )
}

/** A picture of its own, so that its drift does not paint the others again. */
function PlayCoin() {
  return (
    <svg
      viewBox="498 154 84 84"
      className="absolute top-[24.1%] left-[77.8%] w-[13.1%] animate-drift"
      aria-hidden="true"
    >
      <circle cx="540" cy="196" r="42" fill="#10231c" />
      <path d="M556 163A37 37 0 1 0 577 196" fill="none" stroke="#c8f169" strokeWidth="7" strokeLinecap="round" />
      <path
        d="M530 181C530 177 534 175 537 177L556 191C559 193 559 198 556 200L537 214C534 216 530 214 530 210Z"
        fill="#fff"
      />
    </svg>
  )
}

import type { Picture } from './clip.ts'

/** The drawn pictures, defined once and used by the viewer and by the thumbnails. */
export function PictureDefinitions() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <defs>
        <linearGradient id="demo-dawn" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#1d2b3f" />
          <stop offset=".55" stopColor="#9a6a5a" />
          <stop offset="1" stopColor="#e8b27a" />
        </linearGradient>
        <linearGradient id="demo-water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#c98f66" />
          <stop offset="1" stopColor="#22303c" />
        </linearGradient>
        <linearGradient id="demo-room" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#3a3129" />
          <stop offset="1" stopColor="#14171a" />
        </linearGradient>
        <linearGradient id="demo-mist" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#b9c0bf" />
          <stop offset="1" stopColor="#5f6c6c" />
        </linearGradient>
        <radialGradient id="demo-window" cx=".25" cy=".35" r=".5">
          <stop offset="0" stopColor="#e7d3ac" />
          <stop offset="1" stopColor="#e7d3ac" stopOpacity="0" />
        </radialGradient>
      </defs>
      <symbol id="demo-river" viewBox="0 0 320 180">
        <rect width="320" height="180" fill="url(#demo-dawn)" />
        <circle cx="214" cy="98" r="15" fill="#ffe0a8" />
        <path d="M0 96 60 70l48 22 50-34 64 40 46-22 52 26v80H0Z" fill="#3b3a44" />
        <path d="M0 112c80-14 200-8 320 2v66H0Z" fill="url(#demo-water)" />
        <path d="M150 118h70M140 128h92M160 140h50" stroke="#ffe0a8" strokeOpacity=".5" />
        <path d="M0 150c40-18 96-14 128 30H0Z" fill="#14181c" />
      </symbol>
      <symbol id="demo-interview" viewBox="0 0 320 180">
        <rect width="320" height="180" fill="url(#demo-room)" />
        <rect x="26" y="22" width="76" height="92" fill="#d7bf95" />
        <path d="M64 22v92M26 66h76" stroke="#3a3129" strokeWidth="4" />
        <rect width="320" height="180" fill="url(#demo-window)" />
        <path d="M118 180c4-44 32-56 66-58 36 2 66 14 72 58Z" fill="#2e4650" />
        <path d="M168 104h32v22c-10 8-22 8-32 0Z" fill="#a9745a" />
        <ellipse cx="184" cy="80" rx="26" ry="33" fill="#c48c6c" />
        <path d="M157 76c-2-34 54-40 55-2-10-12-34-20-55 2Z" fill="#2b2019" />
        <path d="M176 97h14" stroke="#7c4538" strokeWidth="2.5" strokeLinecap="round" />
      </symbol>
      <symbol id="demo-boat" viewBox="0 0 320 180">
        <rect width="320" height="180" fill="url(#demo-mist)" />
        <path d="M0 92c90-10 210-8 320 0v88H0Z" fill="#48585a" />
        <path d="M96 112h118c-10 16-24 20-40 20h-44c-18 0-30-8-34-20Z" fill="#2a1d18" />
        <path d="M150 112V46l38 58Z" fill="#b9472c" />
        <path d="M150 112V46l-26 60Z" fill="#dcd6c8" />
        <path d="M110 142h92M122 152h62" stroke="#8c9997" />
      </symbol>
      <symbol id="demo-close" viewBox="0 0 320 180">
        <rect width="320" height="180" fill="url(#demo-room)" />
        <rect width="320" height="180" fill="url(#demo-window)" />
        <ellipse cx="178" cy="96" rx="84" ry="104" fill="#c48c6c" />
        <path d="M96 80C88-30 262-44 264 84 232 36 156 18 96 80Z" fill="#2b2019" />
        <path d="M134 84c8-6 20-6 28 0M198 84c8-6 20-6 28 0" stroke="#2b2019" strokeWidth="4" />
        <circle cx="148" cy="92" r="5" fill="#241a14" />
        <circle cx="212" cy="92" r="5" fill="#241a14" />
        <path d="M156 146c14 8 32 8 46 0" stroke="#7c4538" strokeWidth="6" strokeLinecap="round" />
      </symbol>
      <symbol id="demo-fog" viewBox="0 0 320 180">
        <rect width="320" height="180" fill="url(#demo-mist)" />
        <path d="M0 120c60-30 120-8 180-22s100-6 140 6v76H0Z" fill="#71807f" />
        <path
          d="M40 132V70M64 134V58M88 130V76M240 128V64M268 132V80"
          stroke="#3f4b4a"
          strokeWidth="5"
        />
        <path d="M0 142c90-16 220-12 320 0v38H0Z" fill="#8d9997" />
        <rect y="84" width="320" height="40" fill="#c3c9c7" opacity=".5" />
      </symbol>
    </svg>
  )
}

export function PictureView({ picture, className }: { picture: Picture; className?: string }) {
  return (
    <svg
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      aria-hidden="true"
    >
      <use href={`#demo-${picture}`} />
    </svg>
  )
}

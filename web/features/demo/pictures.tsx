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
        <rect x="26" y="18" width="84" height="104" fill="#d9c49b" />
        <path d="M68 18v104M26 68h84" stroke="#3a3129" strokeWidth="4" />
        <rect width="320" height="180" fill="url(#demo-window)" />
        <path
          d="M128 180c2-40 22-52 50-57v-9c-13-9-18-24-17-39 2-25 19-37 38-36 21 1 36 16 35 38-1 17-7 30-17 38v9c30 5 50 18 54 56Z"
          fill="#120f0d"
        />
        <path
          d="M128 180c2-40 22-52 50-57v-9c-13-9-18-24-17-39 2-25 19-37 38-36"
          fill="none"
          stroke="#e7c58a"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
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
        <circle cx="52" cy="44" r="26" fill="#d9c49b" opacity=".5" />
        <circle cx="24" cy="108" r="17" fill="#c98f66" opacity=".35" />
        <circle cx="96" cy="142" r="12" fill="#d9c49b" opacity=".25" />
        <rect width="320" height="180" fill="url(#demo-window)" />
        <path
          d="M320 180V10C300-10 200-22 160 16c-14 14-18 32-18 48l-16 30c-3 6 0 9 8 10l4 1-3 10 5 5-4 6c-1 4 1 6 4 7-4 16 4 22 30 20 6 10 4 20 0 27Z"
          fill="#120f0d"
        />
        <path
          d="M160 16c-14 14-18 32-18 48l-16 30c-3 6 0 9 8 10l4 1-3 10 5 5-4 6c-1 4 1 6 4 7-4 16 4 22 30 20"
          fill="none"
          stroke="#e7c58a"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
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

export type Speaker = 'moderator' | 'panelist'

/** One person's words without a break. Each sentence becomes a line of the transcript. */
export interface Turn {
  by: Speaker
  sentences: readonly (readonly [ja: string, en: string])[]
  /** Silence before it, in seconds. */
  afterSec?: number
  /** A pause of the recording before it, in seconds. */
  pauseSec?: number
  /** Names the beginning of the turn for the events. */
  name?: string
}

/** An interview about the package of a bottled tea. */
export const TURNS: readonly Turn[] = [
  {
    by: 'moderator',
    sentences: [
      ['本日はお時間をいただき、ありがとうございます。', 'Thank you for your time today.'],
      ['担当の森です。', 'My name is Mori.'],
    ],
    afterSec: 1.2,
    name: 'welcome',
  },
  {
    by: 'panelist',
    sentences: [['佐藤です。よろしくお願いします。', 'I am Sato. Nice to meet you.']],
  },
  {
    by: 'moderator',
    sentences: [
      [
        '今日は、お茶のペットボトルについて伺います。',
        'Today I would like to ask you about bottled tea.',
      ],
      ['ふだん、どんなときに買いますか。', 'When do you usually buy it?'],
    ],
  },
  {
    by: 'panelist',
    sentences: [
      ['朝、駅の売店で買うことが多いです。', 'Mostly in the morning, at the kiosk of the station.'],
      ['電車に乗る前に一本、という感じですね。', 'One bottle before I take the train.'],
    ],
    name: 'kiosk',
  },
  {
    by: 'moderator',
    sentences: [['そのとき、何を見て選びますか。', 'What do you look at when you choose?']],
  },
  {
    by: 'panelist',
    sentences: [
      ['だいたい、色で選びます。', 'I mostly choose by the colour.'],
      [
        '緑が濃いと、味も濃そうに見えるんです。',
        'When the green is deep, the taste looks strong, too.',
      ],
    ],
    name: 'colour',
  },
  {
    by: 'moderator',
    sentences: [
      [
        'なるほど。では、新しいパッケージの案をお見せします。',
        'I see. Now I will show you a draft of a new package.',
      ],
      ['画面をご覧ください。', 'Please look at the screen.'],
    ],
    name: 'show',
  },
  {
    by: 'panelist',
    sentences: [['あ、見えました。きれいな緑ですね。', 'Oh, I can see it. A beautiful green.']],
    afterSec: 2,
    name: 'seen',
  },
  {
    by: 'moderator',
    sentences: [['最初に目に入ったのは、どこですか。', 'What did you notice first?']],
  },
  {
    by: 'panelist',
    sentences: [
      ['真ん中の、丸い葉っぱのマークです。', 'The round mark with the leaf in the middle.'],
      ['それから、下の白い文字を読みました。', 'Then I read the white letters below.'],
    ],
  },
  {
    by: 'moderator',
    sentences: [['白い文字は、読みやすいですか。', 'Are the white letters easy to read?']],
  },
  {
    by: 'panelist',
    sentences: [
      [
        '少し小さくて、お店では読めないかもしれません。',
        'They are a little small. In a shop I may not be able to read them.',
      ],
    ],
    name: 'small',
  },
  {
    by: 'moderator',
    sentences: [['値段は、いくらくらいに見えますか。', 'How much does it look like to you?']],
  },
  {
    by: 'panelist',
    sentences: [
      ['百六十円くらいでしょうか。', 'About a hundred and sixty yen, perhaps.'],
      ['いつものお茶より、少し高そうに見えます。', 'A little more than my usual tea.'],
    ],
    afterSec: 1.5,
    name: 'price',
  },
  {
    by: 'moderator',
    sentences: [['高そうに見えるのは、どうしてでしょう。', 'Why does it look more expensive?']],
  },
  {
    by: 'panelist',
    sentences: [
      ['余白が多いからだと思います。', 'I think because there is so much white space.'],
      [
        '和菓子の箱みたいで、贈り物にもよさそうです。',
        'It is like a box of Japanese sweets. It would do as a gift, too.',
      ],
    ],
    name: 'gift',
  },
  {
    by: 'moderator',
    sentences: [['ここで一度、休憩を入れましょう。', 'Let us take a short break here.']],
    name: 'break',
  },
  {
    by: 'moderator',
    sentences: [
      ['それでは、再開します。', 'Then let us go on.'],
      ['売店にこれがあったら、買ってみたいですか。', 'If the kiosk had it, would you try it?'],
    ],
    pauseSec: 45,
    afterSec: 1,
    name: 'resume',
  },
  {
    by: 'panelist',
    sentences: [
      ['一度は、買ってみると思います。', 'I think I would buy it once.'],
      [
        'ただ、毎朝だと、もう少し安いほうがうれしいです。',
        'But for every morning I would like it a little cheaper.',
      ],
    ],
    name: 'cheaper',
  },
  {
    by: 'moderator',
    sentences: [
      ['見学の方から質問です。', 'A question from those who watch.'],
      ['ふたの色は、気になりましたか。', 'Did you notice the colour of the cap?'],
    ],
    name: 'cap',
  },
  {
    by: 'panelist',
    sentences: [
      ['ふたには、気がつきませんでした。', 'I did not notice the cap.'],
      ['本体と同じ緑でも、いいと思います。', 'It could be the same green as the bottle.'],
    ],
  },
  {
    by: 'panelist',
    sentences: [['あの、ひとつ言ってもいいですか。', 'May I say one more thing?']],
    afterSec: 2.5,
    name: 'hand',
  },
  { by: 'moderator', sentences: [['もちろんです。どうぞ。', 'Of course. Please do.']] },
  {
    by: 'panelist',
    sentences: [
      [
        'ラベルがはがしやすいと、捨てるときに助かります。',
        'A label that comes off easily helps when I throw the bottle away.',
      ],
      ['それが、いちばんうれしいです。', 'That would please me most.'],
    ],
    name: 'label',
  },
  {
    by: 'moderator',
    sentences: [
      [
        'とても参考になりました。本日はありがとうございました。',
        'That was very helpful. Thank you very much for today.',
      ],
    ],
    name: 'thanks',
  },
  {
    by: 'panelist',
    sentences: [['こちらこそ、ありがとうございました。', 'Thank you, too.']],
    name: 'end',
  },
]

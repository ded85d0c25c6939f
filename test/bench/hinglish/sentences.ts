/**
 * Everyday speech that changes language inside the sentence, as it is written on a phone: Hindi in Devanagari, English in
 * Latin letters. Written for this bench, and kept out of whatever a recogniser or its language model learns from.
 */
const written = `
  आज office में इतना काम था कि lunch करना ही भूल गया।
  Client को presentation पसंद आया पर उन्हें discount भी चाहिए।
  मेरा laptop फिर hang हो गया, किसी engineer को बुलाओ ना।
  Boss ने deadline आगे बढ़ा दी, अब weekend पर आराम करेंगे।
  उस file का backup ज़रूर ले लेना वरना सब delete हो जाएगा।
  Interview अच्छा गया, बस salary वाली बात थोड़ी अटक गई।
  नई team के लोग friendly हैं, काम में मन लगने लगा है।
  तुम्हारी leave approve हुई या manager अभी भी सोच रहे हैं?
  इस shirt का size छोटा है, क्या आप exchange कर देंगे?
  Online order किया था मगर box के अंदर से दूसरा color निकला।
  दुकानदार बोला कि sale कल तक ही चलेगी, जल्दी shopping कर लो।
  Wallet घर पर छूट गया, क्या मैं phone से payment कर दूँ?
  सब्ज़ी वाले भैया अब home delivery भी करने लगे हैं।
  इतनी महँगी watch लेकर क्या करोगे, सस्ती वाली भी time दिखाती है।
  Cashier ने गलती से bill में दो packet ज़्यादा जोड़ दिए।
  हमारी flight सुबह जल्दी है इसलिए cab रात को ही book कर लेना।
  Train का platform बदल गया है, announcement ध्यान से सुनो।
  होटल का room साफ़ था लेकिन breakfast बिल्कुल ठंडा मिला।
  Highway पर accident हुआ है, driver ने दूसरा रास्ता पकड़ लिया।
  पहाड़ों में network नहीं आता तो पहले से map download कर लो।
  Passport renew कराने में पूरे तीन हफ़्ते लग गए भाई।
  अगली छुट्टियों में beach जाने का plan पक्का समझें क्या?
  Metro में इतनी भीड़ थी कि मेरा station ही निकल गया।
  दादी को video call करना सिखाया तो वो बहुत खुश हुईं।
  मम्मी, आज dinner में कुछ light बना दो, पेट भरा है।
  मेरे cousin की engagement अगले Sunday को जयपुर में है।
  पापा ने नई car की पहली servicing खुद जाकर करवाई।
  छोटी बहन ने surprise में मेरे लिए chocolate cake बनाया।
  शादी के photos अभी तक photographer ने नहीं भेजे यार।
  पड़ोस वाली aunty हर बात पर advice देने लगती हैं।
  तुम्हारा charger उधार लिया था, table पर वापस रख दिया है।
  Screen टूट गई थी, repair में आधी salary चली गई।
  Password भूल गया हूँ और वो email भी अब नहीं खुलता।
  रात भर games खेलोगे तो सुबह class में नींद आएगी ही।
  उसने मेरा message पढ़ लिया मगर reply अब तक नहीं किया।
  Mobile का storage full है, पुराने videos हटाने पड़ेंगे।
  आखिरी over में ऐसा छक्का मारा कि पूरा stadium नाच उठा।
  Captain ने toss जीतकर पहले bowling चुनी, pitch थोड़ी गीली थी।
  अचानक बारिश आई और match रुक गया, सब fans उदास बैठे हैं।
  उस catch के बाद तो commentator भी चिल्लाने लगा था।
  कल science का test है और मैंने एक chapter भी नहीं खोला।
  Teacher ने homework कम दिया, बच्चों की तो lottery लग गई।
  School bus निकल गई, अब scooter से छोड़ना पड़ेगा तुम्हें।
  मेरी daughter ने drawing competition में पहला prize जीता।
  College की fees भरने के लिए loan लेना ठीक रहेगा?
  Doctor साहब, दो दिन से headache है और हल्का fever भी।
  रोज़ morning walk पर जाओ, weight अपने आप घटने लगेगा।
  Hospital की report शाम तक मिल जाएगी, घबराओ मत।
  नानी का operation successful रहा, अब बस rest की ज़रूरत है।
  Gym का membership लिया था, गया सिर्फ़ चार बार हूँ।
`

export const hinglishSentences: readonly string[] = written
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean)

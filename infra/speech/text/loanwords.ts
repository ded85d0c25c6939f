import { pairs } from './pairs.ts'

/**
 * English words that Hindi speech is full of, as recognisers write them in Devanagari, with their English spelling. Written
 * by hand, so not complete: a word that is missing here passes for Hindi and is spelt by sound.
 */
export function loanwordInLatin(word: string): string | undefined {
  return latinByDevanagari.get(canonical(word))
}

export function loanwordInDevanagari(word: string): string | undefined {
  return devanagariByLatin.get(word.toLowerCase())
}

/** Recognisers differ in dots and in the choice between ं and ँ; meaning does not, but for ड़ and ढ़: गुड़ is not गुड. */
function canonical(word: string): string {
  return word
    .normalize('NFC')
    .replaceAll(/(?<![डढ])\u093c/gu, '')
    .replaceAll('\u0901', '\u0902')
}

const words = pairs(`
  ऑफिस=office मोबाइल=mobile फोन=phone कंप्यूटर=computer लैपटॉप=laptop इंटरनेट=internet ईमेल=email मेल=mail मैसेज=message वीडियो=video
  ऑडियो=audio टीवी=TV रेडियो=radio कैमरा=camera फोटो=photo स्क्रीन=screen बटन=button चार्जर=charger बैटरी=battery नेटवर्क=network
  स्कूल=school कॉलेज=college यूनिवर्सिटी=university क्लास=class टीचर=teacher स्टूडेंट=student एग्जाम=exam टेस्ट=test होमवर्क=homework
  प्रोजेक्ट=project रिपोर्ट=report मीटिंग=meeting मैनेजर=manager बॉस=boss टीम=team कंपनी=company बिजनेस=business मार्केट=market
  जॉब=job सैलरी=salary इंटरव्यू=interview ट्रेनिंग=training प्रमोशन=promotion डॉक्टर=doctor नर्स=nurse हॉस्पिटल=hospital मेडिकल=medical
  ऑपरेशन=operation टैबलेट=tablet बस=bus ट्रेन=train कार=car टैक्सी=taxi ऑटो=auto बाइक=bike साइकिल=cycle स्टेशन=station एयरपोर्ट=airport
  फ्लाइट=flight टिकट=ticket ट्रैफिक=traffic पेट्रोल=petrol डीजल=diesel रोड=road पार्क=park होटल=hotel रेस्टोरेंट=restaurant कॉफी=coffee
  पिज्जा=pizza बर्गर=burger केक=cake आइसक्रीम=ice-cream बिस्किट=biscuit चॉकलेट=chocolate पार्टी=party बर्थडे=birthday गिफ्ट=gift
  मूवी=movie फिल्म=film हीरो=hero सिनेमा=cinema गेम=game क्रिकेट=cricket मैच=match बॉल=ball बैट=bat प्लेयर=player स्कोर=score रन=run
  बैंक=bank चेक=cheque कार्ड=card अकाउंट=account लोन=loan पासवर्ड=password नंबर=number फॉर्म=form फाइल=file पेपर=paper पेन=pen पेंसिल=pencil
  बुक=book कॉपी=copy बैग=bag टेबल=table सोफा=sofa फ्रिज=fridge फैन=fan एसी=AC लाइट=light बल्ब=bulb स्विच=switch गैस=gas
  बोतल=bottle गिलास=glass प्लेट=plate शर्ट=shirt पैंट=pant जैकेट=jacket कोट=coat शूज=shoes साइज=size कलर=color डिजाइन=design फैशन=fashion
  पुलिस=police कोर्ट=court जज=judge केस=case मिनिस्टर=minister प्रेसिडेंट=president सेक्रेटरी=secretary डायरेक्टर=director
  सर=sir मैडम=madam मिस्टर=mister प्लीज=please सॉरी=sorry थैंक्यू=thank-you हेलो=hello हैलो=hello ओके=okay बाय=bye गुड=good बेस्ट=best
  प्रॉब्लम=problem सॉल्यूशन=solution टाइम=time मिनट=minute सेकंड=second लेट=late फ्री=free बिजी=busy रेडी=ready प्लान=plan आइडिया=idea
  ऑनलाइन=online ऑफलाइन=offline वेबसाइट=website ऐप=app एप=app डाउनलोड=download अपडेट=update सॉफ्टवेयर=software सर्वर=server डेटा=data
  सिस्टम=system सर्विस=service सपोर्ट=support कस्टमर=customer ऑर्डर=order डिलीवरी=delivery पेमेंट=payment बिल=bill ऑफर=offer डिस्काउंट=discount
  लिस्ट=list लाइन=line पॉइंट=point लेवल=level स्टेप=step लिंक=link शेयर=share लाइक=like कमेंट=comment पोस्ट=post चैनल=channel लाइव=live
  स्टार्ट=start स्टॉप=stop कॉल=call चैट=chat ग्रुप=group फ्रेंड=friend फैमिली=family अंकल=uncle आंटी=aunty बेबी=baby डैडी=daddy मम्मी=mummy
  किलोमीटर=kilometer मीटर=meter किलो=kilo लीटर=liter डिग्री=degree परसेंट=percent रॉकेट=rocket मशीन=machine इंजन=engine इंजीनियर=engineer
`)

const latinByDevanagari = new Map(words.map(([devanagari, latin]) => [canonical(devanagari), latin]))
const devanagariByLatin = new Map(words.map(([devanagari, latin]) => [latin.toLowerCase(), devanagari]))

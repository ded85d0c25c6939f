/* Goes through a recording: packets of its track, and the frames that they decode to. */
#include "host.h"
#include "recording.h"

enum packet { OF_THE_TRACK = 0, OF_ANOTHER, AT_THE_END, BROKEN_OFF };
enum taken { TAKEN = 0, LOST, RUINED };

static AVPacket *packet;

int EXPORTED(read_packet)(void)
{
    if (!packet && !(packet = av_packet_alloc()))
        return BROKEN_OFF;
    av_packet_unref(packet);
    int outcome = av_read_frame(recording.input, packet);
    if (outcome < 0)
        return outcome == AVERROR_EOF ? AT_THE_END : BROKEN_OFF;
    return packet->stream_index == recording.track->index ? OF_THE_TRACK : OF_ANOTHER;
}

double EXPORTED(packet_at)(void)
{
    return seconds_of(packet->pts, recording.track->time_base);
}

double EXPORTED(packet_seconds)(void)
{
    return seconds_of(packet->duration, recording.track->time_base);
}

static int send(const AVPacket *next)
{
    int outcome = avcodec_send_packet(recording.decoder, next);
    if (outcome >= 0)
        return TAKEN;
    return outcome == AVERROR_INVALIDDATA ? RUINED : LOST;
}

int EXPORTED(decode_packet)(void)
{
    return send(packet);
}

/* No packet comes any more: what the decoder still has is to come out. */
void EXPORTED(decode_rest)(void)
{
    send(NULL);
}

/* Whether there is one; it is the current one until the next is received. */
int EXPORTED(receive_frame)(void)
{
    return avcodec_receive_frame(recording.decoder, recording.frame) >= 0;
}

double EXPORTED(frame_at)(void)
{
    return seconds_of(recording.frame->pts, recording.track->time_base);
}

double EXPORTED(frame_seconds)(void)
{
    return (double)recording.frame->nb_samples / recording.frame->sample_rate;
}

int EXPORTED(frame_rate)(void)
{
    return recording.frame->sample_rate;
}

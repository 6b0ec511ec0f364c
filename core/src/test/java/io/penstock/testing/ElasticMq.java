package io.penstock.testing;

import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.task.Timekeeper;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * An SQS server inside this JVM, on the loopback interface and a free port. Hidden messages become visible again by the
 * clock it is given, but polls wait in real time. It keeps messages for ever. Threads may share it.
 */
public final class ElasticMq implements AutoCloseable {
    private final ActorSystem actors;
    private final SQSRestServer server;
    private final URI address;

    private ElasticMq(Timekeeper clock) {
        actors = ActorSystem.create("elasticmq");
        ActorRef queues = actors.actorOf(Props.create(
                QueueManagerActor.class,
                () -> new QueueManagerActor(new Clock(clock), StrictSQSLimits$.MODULE$, Option.empty())));
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withActorSystem(actors)
                .withQueueManagerActor(queues)
                .start();
        address = URI.create(
                "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
    }

    public static ElasticMq start(Timekeeper clock) {
        return new ElasticMq(clock);
    }

    /** Settings that reach the server. */
    public SqsSettings settings() {
        return SqsSettings.standard()
                .endpoint(address)
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));
    }

    @Override
    public void close() {
        server.stopAndWait();
        actors.terminate();
    }

    private static final class Clock extends NowProvider {
        private final Timekeeper clock;

        Clock(Timekeeper clock) {
            this.clock = clock;
        }

        @Override
        public long nowMillis() {
            return clock.nowMillis();
        }

        @Override
        public OffsetDateTime now() {
            return Instant.ofEpochMilli(nowMillis()).atOffset(ZoneOffset.UTC);
        }
    }
}
